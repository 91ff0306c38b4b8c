import Foundation
import Testing
import UIKitSimulator

/// Lists that are told what to show by snapshots.
@MainActor
struct SnapshotTests {
    private enum Section: String, CaseIterable { case wallets, cards }
    private typealias Snapshot = NSDiffableDataSourceSnapshot<Section, String>

    private func ways() -> Snapshot {
        var ways = Snapshot()
        ways.appendSections([.wallets, .cards])
        ways.appendItems(["Alipay", "GCash"], toSection: .wallets)
        ways.appendItems(["UnionPay"])
        return ways
    }

    // MARK: Snapshots

    @Test func aSnapshotKnowsItsItems() {
        let ways = ways()
        #expect(ways.numberOfSections == 2 && ways.numberOfItems == 3 && ways.numberOfItems(inSection: .wallets) == 2)
        #expect(ways.sectionIdentifiers == [.wallets, .cards] && ways.itemIdentifiers == ["Alipay", "GCash", "UnionPay"])
        #expect(ways.itemIdentifiers(inSection: .cards) == ["UnionPay"])
        #expect(ways.sectionIdentifier(containingItem: "UnionPay") == .cards && ways.sectionIdentifier(containingItem: "Visa") == nil)
        #expect(ways.indexOfItem("UnionPay") == 2 && ways.indexOfSection(.cards) == 1 && ways.indexOfItem("Visa") == nil)
    }

    @Test func itemsComeGoAndMove() {
        var ways = ways()
        ways.insertItems(["Dana"], beforeItem: "Alipay")
        ways.insertItems(["Kakao"], afterItem: "Alipay")
        #expect(ways.itemIdentifiers(inSection: .wallets) == ["Dana", "Alipay", "Kakao", "GCash"])
        ways.moveItem("Dana", afterItem: "UnionPay")
        ways.moveItem("GCash", beforeItem: "Alipay")
        #expect(ways.itemIdentifiers == ["GCash", "Alipay", "Kakao", "UnionPay", "Dana"])
        ways.reloadItems(["Alipay", "Kakao"])
        ways.reconfigureItems(["GCash"])
        ways.deleteItems(["Kakao", "nobody"])
        #expect(ways.reloadedItemIdentifiers == ["Alipay"] && ways.reconfiguredItemIdentifiers == ["GCash"])
        ways.moveSection(.cards, beforeSection: .wallets)
        #expect(ways.itemIdentifiers == ["UnionPay", "Dana", "GCash", "Alipay"])
        ways.moveSection(.cards, afterSection: .wallets)
        ways.reloadSections([.cards])
        ways.deleteSections([.cards])
        #expect(ways.sectionIdentifiers == [.wallets] && ways.reloadedSectionIdentifiers.isEmpty)
        ways.insertSections([.cards], beforeSection: .wallets)
        #expect(ways.sectionIdentifiers == [.cards, .wallets] && ways.numberOfItems(inSection: .cards) == 0)
        ways.deleteAllItems()
        #expect(ways.numberOfSections == 0 && ways.reloadedItemIdentifiers.isEmpty)
        ways.appendSections([.wallets])
        ways.insertSections([.cards], afterSection: .wallets)
        #expect(ways.sectionIdentifiers == [.wallets, .cards])
    }

    // MARK: Tables

    /// Ways to pay, with heads, of which some can be deleted.
    private final class Source: UITableViewDiffableDataSource<Section, String> {
        override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
            sectionIdentifier(for: section)?.rawValue
        }

        override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
            itemIdentifier(for: indexPath) != "UnionPay"
        }

        override func tableView(
            _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
        ) {
            guard let item = itemIdentifier(for: indexPath) else { return }
            var changed = snapshot()
            changed.deleteItems([item])
            apply(changed)
        }
    }

    /// A table on a screen, and its source.
    @MainActor
    private final class List {
        let shown = Shown(UIViewController())
        let table = UITableView()
        var made: [String] = []
        private(set) var source: Source!

        init() {
            table.register(UITableViewCell.self, forCellReuseIdentifier: "way")
            shown.window.rootViewController?.view.addSubview(table)
            source = Source(tableView: table) { [unowned self] table, path, way in
                made.append(way)
                guard way != "nothing" else { return nil }
                let cell = table.dequeueReusableCell(withIdentifier: "way", for: path)
                cell.textLabel?.text = way
                return cell
            }
        }
    }

    @Test func aTableShowsASnapshot() {
        let list = List()
        var isDone = false
        list.source.apply(ways(), animatingDifferences: true) { isDone = true }
        #expect(isDone && list.made.isEmpty && list.table.dataSource === list.source, "nobody has looked yet")
        #expect(list.shown.screen.texts == ["wallets", "Alipay", "GCash", "cards", "UnionPay"])
        #expect(list.source.indexPath(for: "UnionPay") == IndexPath(row: 0, section: 1) && list.source.index(for: .cards) == 1)
        #expect(list.source.itemIdentifier(for: IndexPath(row: 1, section: 0)) == "GCash")
        #expect(list.source.itemIdentifier(for: IndexPath(row: 2, section: 0)) == nil && list.source.sectionIdentifier(for: 2) == nil)
        #expect(list.table.sendDeletion(at: IndexPath(row: 0, section: 0)) && !list.table.sendDeletion(at: IndexPath(row: 0, section: 1)))
        #expect(list.shown.screen.texts == ["wallets", "GCash", "cards", "UnionPay"] && list.shown.faults.isEmpty)
    }

    @Test func whatWasChosenStaysChosen() async {
        let list = List()
        await list.source.apply(ways())
        list.shown.screen.tap("UnionPay")
        var changed = list.source.snapshot()
        changed.moveSection(.cards, beforeSection: .wallets)
        changed.insertItems(["Visa"], beforeItem: "UnionPay")
        changed.reconfigureItems(["UnionPay"])
        await list.source.apply(changed, animatingDifferences: false)
        #expect(list.table.indexPathForSelectedRow == IndexPath(row: 1, section: 0))
        #expect(list.table.cellForRow(at: IndexPath(row: 1, section: 0))?.isSelected == true)
        #expect(list.source.snapshot().reconfiguredItemIdentifiers.isEmpty, "it was done")
        changed.reloadItems(["UnionPay"])
        await list.source.apply(changed)
        #expect(list.table.indexPathForSelectedRow == nil, "a cell that is made anew is not chosen")
        list.shown.screen.tap("Visa")
        await list.source.applySnapshotUsingReloadData(changed)
        #expect(list.table.indexPathForSelectedRow == nil)
    }

    @Test func whatCrashesADeviceIsAFault() {
        let list = List()
        var wrong = Snapshot()
        wrong.appendItems(["early"])
        wrong.appendSections([.wallets, .wallets])
        wrong.appendItems(["Alipay", "Alipay"])
        wrong.insertItems(["x"], beforeItem: "nobody")
        wrong.insertItems(["x"], afterItem: "nobody")
        wrong.insertSections([.cards], afterSection: .cards)
        wrong.reloadItems(["nobody"])
        wrong.reloadSections([.cards])
        wrong.moveItem("Alipay", afterItem: "nobody")
        wrong.moveSection(.cards, beforeSection: .wallets)
        list.shown.run { list.source.apply(wrong) }
        #expect(list.shown.faults == Array(repeating: .snapshotWrong, count: 10))
        #expect(list.source.snapshot().itemIdentifiers == ["Alipay"], "the first stays")
        var empty = list.source.snapshot()
        empty.appendItems(["nothing"])
        list.shown.run { list.source.apply(empty) }
        #expect(list.shown.run { list.table.visibleCells.count } == 2)
        #expect(list.shown.faults.last == .cellNotRegistered && list.shown.faults.count == 11)
    }

    // MARK: Collections

    @Test func aCollectionShowsASnapshot() async {
        let shown = Shown(UIViewController())
        let grid = UICollectionView(
            frame: .zero, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: .init(appearance: .insetGrouped)))
        shown.window.rootViewController?.view.addSubview(grid)
        let tile = UICollectionView.CellRegistration<UICollectionViewListCell, String> { cell, path, way in
            var content = cell.defaultContentConfiguration()
            content.text = way
            content.secondaryText = "no. \(path.item)"
            cell.contentConfiguration = content
            cell.accessories = [.disclosureIndicator()]
        }
        let source = UICollectionViewDiffableDataSource<Section, String>(collectionView: grid) { grid, path, way in
            grid.dequeueConfiguredReusableCell(using: tile, for: path, item: way)
        }
        await source.apply(ways())
        #expect(shown.screen.texts == ["Alipay", "no. 0", "GCash", "no. 1", "UnionPay", "no. 0"])
        #expect(shown.screen.tap("GCash") && grid.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
        var changed = source.snapshot()
        changed.deleteItems(["Alipay"])
        source.apply(changed, animatingDifferences: true, completion: nil)
        #expect(grid.indexPathsForSelectedItems == [IndexPath(item: 0, section: 0)] && grid.numberOfItems(inSection: 0) == 1)
        #expect(shown.screen.texts == ["GCash", "no. 0", "UnionPay", "no. 0"], "a cell that is handed out again says one thing")
        #expect(source.itemIdentifier(for: IndexPath(item: 0, section: 1)) == "UnionPay" && source.index(for: .cards) == 1)
        #expect(source.indexPath(for: "GCash") == IndexPath(item: 0, section: 0) && source.sectionIdentifier(for: 0) == .wallets)
        source.applySnapshotUsingReloadData(changed) { changed.deleteAllItems() }
        #expect(changed.numberOfItems == 0 && grid.indexPathsForSelectedItems == [] && shown.faults.isEmpty)
    }
}
