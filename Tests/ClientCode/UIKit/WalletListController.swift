import UIKit

/// A wallet of the list.
struct Wallet: Hashable, Sendable {
    let name: String
    var isUsable = true
}

/// Wallets by sections, told by snapshots; the list is loaded again when the app comes back.
final class WalletListController: UITableViewController {
    enum Section: CaseIterable {
        case recent
        case others
    }

    private lazy var dataSource = UITableViewDiffableDataSource<Section, Wallet>(tableView: tableView) { tableView, indexPath, wallet in
        let cell = tableView.dequeueReusableCell(withIdentifier: "wallet", for: indexPath)
        var content = cell.defaultContentConfiguration()
        content.text = wallet.name
        content.textProperties.color = wallet.isUsable ? .label : .secondaryLabel
        cell.contentConfiguration = content
        return cell
    }
    private var returns: Task<Void, Never>?
    private var sizeObservation: NSKeyValueObservation?
    private(set) var loads = 0
    private(set) var heights: [CGFloat] = []
    private(set) var chosen: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "wallet")
        dataSource.defaultRowAnimation = .fade
        sizeObservation = tableView.observe(\.contentSize, options: [.new]) { [weak self] _, change in
            guard let height = change.newValue?.height else { return }
            Task { @MainActor [weak self] in self?.heights.append(height) }
        }
        returns = Task { [weak self] in
            let active = NotificationCenter.default.notifications(named: UIApplication.didBecomeActiveNotification)
            for await _ in active.map({ _ in true }) { self?.loads += 1 }
        }
    }

    func leave() { returns?.cancel() }

    func show(recent: [Wallet], others: [Wallet], completion: @escaping () -> Void) {
        var snapshot = NSDiffableDataSourceSnapshot<Section, Wallet>()
        snapshot.appendSections(Section.allCases)
        snapshot.appendItems(recent, toSection: .recent)
        snapshot.appendItems(others, toSection: .others)
        dataSource.apply(snapshot, animatingDifferences: true, completion: completion)
    }

    func forget(_ name: String) async {
        var snapshot = dataSource.snapshot()
        snapshot.deleteItems(snapshot.itemIdentifiers.filter { $0.name == name })
        snapshot.reconfigureItems(snapshot.itemIdentifiers)
        await dataSource.apply(snapshot, animatingDifferences: false)
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        guard let wallet = dataSource.itemIdentifier(for: indexPath), wallet.isUsable else { return }
        chosen.append(wallet.name)
    }
}
