import Testing
import UIKitSimulator

@MainActor
struct ListTests {
    /// Ways to pay, one section, with what was heard.
    final class MethodsController: UITableViewController {
        final class MethodCell: UITableViewCell {
            var reuses = 0

            override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
                super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
            }

            required init?(coder: NSCoder) { nil }

            override func prepareForReuse() { reuses += 1 }
        }

        var methods = ["UnionPay", "Apple Pay"]
        var heard: [String] = []
        var asked = 0
        var isPicky = false

        override func viewDidLoad() {
            super.viewDidLoad()
            tableView.register(MethodCell.self, forCellReuseIdentifier: "method")
            tableView.register(UITableViewHeaderFooterView.self, forHeaderFooterViewReuseIdentifier: "head")
        }

        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { methods.count }

        override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            asked += 1
            let cell = tableView.dequeueReusableCell(withIdentifier: "method", for: indexPath)
            cell.textLabel?.text = methods[indexPath.row]
            cell.detailTextLabel?.text = "no. \(indexPath.row)"
            return cell
        }

        override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { "Choose one" }

        override func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
            let head = tableView.dequeueReusableHeaderFooterView(withIdentifier: "head")
            head?.textLabel?.text = "Ways to pay"
            return head
        }

        override func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { isPicky ? nil : indexPath }
        override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) { heard.append("+\(indexPath.row)") }
        override func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) { heard.append("-\(indexPath.row)") }

        override func tableView(
            _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
        ) {
            methods.remove(at: indexPath.row)
            tableView.deleteRows(at: [indexPath], with: .automatic)
        }
    }

    @Test func aTableShowsWhatItsSourceHas() {
        let list = MethodsController(style: .grouped)
        let shown = Shown(list)
        #expect(list.asked == 0, "nobody has looked yet")
        #expect(shown.screen.texts == ["Ways to pay", "UnionPay", "no. 0", "Apple Pay", "no. 1", "Choose one"])
        #expect(list.asked == 2)
        _ = shown.screen.texts
        #expect(list.asked == 2, "who looks again asks nothing")
        #expect(list.tableView.numberOfSections == 1 && list.tableView.numberOfRows(inSection: 0) == 2)
        #expect(list.tableView.numberOfRows(inSection: 1) == 0)
        #expect(list.tableView.style == .grouped && shown.faults.isEmpty)
    }

    @Test func cellsAreHandedOutAgain() throws {
        let list = MethodsController(style: .plain)
        let shown = Shown(list)
        let first = try #require(list.tableView.cellForRow(at: IndexPath(row: 0, section: 0)) as? MethodsController.MethodCell)
        list.methods = ["Alipay"]
        list.tableView.reloadData()
        #expect(shown.screen.texts.contains("Alipay") && !shown.screen.texts.contains("UnionPay"))
        let now = try #require(list.tableView.visibleCells.first as? MethodsController.MethodCell)
        #expect(now === first && first.reuses == 1 && list.tableView.visibleCells.count == 1)
        #expect(list.tableView.indexPath(for: first) == IndexPath(row: 0, section: 0))
        #expect(list.tableView.indexPathsForVisibleRows == [IndexPath(row: 0, section: 0)])
    }

    @Test func aRowIsChosenByItsText() {
        let list = MethodsController(style: .plain)
        let shown = Shown(list)
        #expect(shown.screen.tap("Apple Pay"))
        #expect(list.tableView.indexPathForSelectedRow == IndexPath(row: 1, section: 0))
        #expect(list.tableView.visibleCells.map(\.isSelected) == [false, true])
        #expect(shown.screen.tap("no. 0"), "every text of the row leads to it")
        #expect(list.heard == ["+1", "-1", "+0"])
        list.tableView.reconfigureRows(at: [IndexPath(row: 0, section: 0)])
        #expect(list.tableView.indexPathForSelectedRow == IndexPath(row: 0, section: 0), "what is chosen stays")
        list.tableView.deselectRow(at: IndexPath(row: 0, section: 0), animated: true)
        #expect(list.tableView.indexPathForSelectedRow == nil && list.heard.count == 3, "the app tells itself nothing")
        list.isPicky = true
        shown.screen.tap("Apple Pay")
        #expect(list.tableView.indexPathsForSelectedRows == nil && list.heard.count == 3)
        list.tableView.allowsSelection = false
        #expect(!list.tableView.sendTap(at: IndexPath(row: 0, section: 0)))
        #expect(!shown.screen.tap("WeChat"))
    }

    @Test func manyRowsAreChosen() {
        let list = MethodsController(style: .plain)
        let shown = Shown(list)
        list.tableView.allowsMultipleSelection = true
        shown.screen.tap("UnionPay")
        shown.screen.tap("Apple Pay")
        #expect(list.tableView.indexPathsForSelectedRows?.map(\.row) == [0, 1])
        shown.screen.tap("UnionPay")
        #expect(list.tableView.indexPathsForSelectedRows?.map(\.row) == [1] && list.heard == ["+0", "+1", "-0"])
        list.viewWillAppear(false)
        #expect(list.tableView.indexPathsForSelectedRows == nil, "a table's controller forgets what was chosen when it appears")
    }

    @Test func aRowIsDeleted() {
        let list = MethodsController(style: .plain)
        let shown = Shown(list)
        #expect(list.tableView.sendDeletion(at: IndexPath(row: 0, section: 0)))
        #expect(list.methods == ["Apple Pay"] && shown.screen.texts.contains("Apple Pay") && !shown.screen.texts.contains("UnionPay"))
        #expect(!list.tableView.sendDeletion(at: IndexPath(row: 5, section: 0)))
    }

    /// Rows with an action of their own.
    final class SwipedController: UITableViewController {
        var archived: [Int] = []

        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

        override func tableView(
            _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
        ) -> UISwipeActionsConfiguration? {
            guard indexPath.row == 1 else { return nil }
            return UISwipeActionsConfiguration(actions: [
                UIContextualAction(style: .destructive, title: "Archive") { [weak self] _, _, done in
                    self?.archived.append(indexPath.row)
                    done(true)
                }
            ])
        }
    }

    @Test func aRowIsSwiped() {
        let list = SwipedController(style: .plain)
        let shown = Shown(list)
        #expect(list.tableView.sendSwipe(at: IndexPath(row: 1, section: 0), for: "Archive") && list.archived == [1])
        #expect(!list.tableView.sendSwipe(at: IndexPath(row: 0, section: 0), for: "Archive"))
        #expect(!list.tableView.sendSwipe(at: IndexPath(row: 1, section: 0), for: "Delete") && shown.faults.isEmpty)
    }

    @Test func anEditButtonEditsTheTable() {
        let list = MethodsController(style: .plain)
        let shown = Shown(UINavigationController(rootViewController: list))
        list.navigationItem.rightBarButtonItem = list.editButtonItem
        #expect(shown.screen.tap("Edit") && list.isEditing && list.tableView.isEditing)
        #expect(!shown.screen.tap("Edit") && shown.screen.tap("Done") && !list.tableView.isEditing)
    }

    /// A list of an app of before registered classes.
    final class OldSource: NSObject, UITableViewDataSource {
        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 1 }

        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "old") ?? UITableViewCell(style: .value1, reuseIdentifier: "old")
            var content = cell.defaultContentConfiguration()
            content.text = "Total"
            content.secondaryText = "33.00"
            cell.contentConfiguration = content
            cell.accessoryView = UISwitch(frame: .zero)
            return cell
        }
    }

    @Test func aSourceMayBeAnythingAndHaveOneSection() throws {
        let controller = UIViewController()
        let shown = Shown(controller)
        let table = UITableView()
        let source = OldSource()
        table.dataSource = source
        table.tableHeaderView = UILabel(frame: .zero)
        (table.tableHeaderView as? UILabel)?.text = "Cart"
        controller.view.addSubview(table)
        #expect(shown.screen.texts == ["Cart", "Total", "33.00"])
        #expect(shown.screen.tap("Total") && table.indexPathForSelectedRow?.row == 0, "without a delegate a row is chosen all the same")
        let cell = try #require(table.visibleCells.first)
        #expect(cell.accessoryView?.superview === cell)
        cell.accessoryView = nil
        #expect(!cell.subviews.contains { $0 is UISwitch })
    }

    @Test func aCellOfNoClassIsAFault() {
        let shown = Shown(UIViewController())
        let (table, grid) = (UITableView(), UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout()))
        table.register(UINib(nibName: "Cell", bundle: nil), forCellReuseIdentifier: "nib")
        shown.run {
            #expect(table.dequeueReusableCell(withIdentifier: "none") == nil)
            #expect(table.dequeueReusableCell(withIdentifier: "nib", for: IndexPath(row: 0, section: 0)).reuseIdentifier == "nib")
            #expect(grid.dequeueReusableCell(withReuseIdentifier: "none", for: IndexPath(item: 0, section: 0)).reuseIdentifier == "none")
        }
        #expect(shown.faults == [.cellNotRegistered, .cellNotRegistered])
    }

    /// Amounts to choose from.
    final class Amounts: NSObject, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
        final class AmountCell: UICollectionViewCell {
            let label = UILabel()

            override init(frame: CGRect) {
                super.init(frame: frame)
                contentView.addSubview(label)
            }

            required init?(coder: NSCoder) { nil }
        }

        let amounts = ["50", "100", "200"]
        var heard: [String] = []

        func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { amounts.count }

        func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
            let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "amount", for: indexPath)
            (cell as? AmountCell)?.label.text = amounts[indexPath.item]
            return cell
        }

        func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { indexPath.item != 2 }
        func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) { heard.append("+\(indexPath.item)") }
        func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
            heard.append("-\(indexPath.item)")
        }
    }

    @Test func aCollectionIsChosenFrom() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let grid = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        let amounts = Amounts()
        (grid.dataSource, grid.delegate) = (amounts, amounts)
        grid.register(Amounts.AmountCell.self, forCellWithReuseIdentifier: "amount")
        controller.view.addSubview(grid)
        #expect(shown.screen.texts == ["50", "100", "200"] && grid.numberOfSections == 1 && grid.numberOfItems(inSection: 0) == 3)
        #expect(shown.screen.tap("50") && shown.screen.tap("100") && !shown.screen.tap("200"))
        #expect(amounts.heard == ["+0", "-0", "+1"] && grid.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
        #expect(grid.cellForItem(at: IndexPath(item: 1, section: 0))?.isSelected == true)
        let cells = grid.visibleCells
        grid.reloadData()
        #expect(grid.visibleCells.count == 3 && Set(grid.visibleCells) == Set(cells), "cells are handed out again")
        #expect(grid.indexPathsForSelectedItems == [] && shown.faults.isEmpty)
        grid.allowsMultipleSelection = true
        shown.screen.tap("50")
        shown.screen.tap("100")
        shown.screen.tap("50")
        #expect(grid.indexPathsForSelectedItems?.map(\.item) == [1])
    }

    @Test func pathsHaveRowsAndItems() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path.row == 3 && path.item == 3 && path.section == 1 && path == IndexPath(item: 3, section: 1))
        (path.row, path.section) = (4, 2)
        path.item += 1
        #expect(path == IndexPath(row: 5, section: 2))
    }
}
