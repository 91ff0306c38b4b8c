import UIKit

class WaysToPayController: UITableViewController, UISearchBarDelegate {
    struct Way {
        let name: String
        let detail: String
    }

    static let cellIdentifier = "WayCell"

    private let all = [Way(name: "UnionPay", detail: "Any bank"), Way(name: "Alipay", detail: "Balance"), Way(name: "Apple Pay", detail: "Wallet")]
    private var shown: [Way] = []
    private let searchBar = UISearchBar()
    var chosen: [String] = []
    var reloads = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Ways to pay"
        shown = all
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: WaysToPayController.cellIdentifier)
        tableView.rowHeight = UITableView.automaticDimension
        searchBar.placeholder = "Search"
        searchBar.delegate = self
        tableView.tableHeaderView = searchBar
        let refresh = UIRefreshControl()
        refresh.addTarget(self, action: #selector(reload(_:)), for: .valueChanged)
        refreshControl = refresh
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            image: UIImage(systemName: "square.and.arrow.up"), style: .plain, target: self, action: #selector(share))
        navigationItem.rightBarButtonItem?.accessibilityLabel = "Share"
        navigationItem.leftBarButtonItem = UIBarButtonItem(barButtonSystemItem: .add, target: self, action: #selector(enterCode))
    }

    @objc func reload(_ sender: UIRefreshControl) {
        reloads += 1
        tableView.reloadData()
        sender.endRefreshing()
    }

    @objc func share() {
        let activity = UIActivityViewController(activityItems: ["I pay with \(chosen.last ?? "nothing")"], applicationActivities: nil)
        present(activity, animated: true)
    }

    @objc func enterCode() {
        let alert = UIAlertController(title: "Code", message: nil, preferredStyle: .alert)
        alert.addTextField { field in
            field.placeholder = "12 digits"
            field.keyboardType = .numberPad
        }
        alert.addAction(UIAlertAction(title: "OK", style: .default) { [weak self, weak alert] _ in
            self?.chosen.append(alert?.textFields?.first?.text ?? "")
        })
        present(alert, animated: true)
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        return shown.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: WaysToPayController.cellIdentifier, for: indexPath)
        let way = shown[indexPath.row]
        cell.textLabel?.text = way.name
        cell.imageView?.image = UIImage(named: way.name)
        cell.accessoryType = chosen.last == way.name ? .checkmark : .none
        return cell
    }

    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        return shown.isEmpty ? "Nothing found" : nil
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        chosen.append(shown[indexPath.row].name)
        tableView.reloadRows(at: [indexPath], with: .automatic)
    }

    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {
        shown = searchText.isEmpty ? all : all.filter { $0.name.lowercased().contains(searchText.lowercased()) }
        tableView.reloadData()
    }
}

/// Not an actor's: as written before there were any.
class Router {
    static func isShown(_ controller: UIViewController) -> Bool {
        return controller.navigationController?.topViewController === controller && controller.view.window != nil
    }

    static func open(_ next: UIViewController, from controller: UIViewController) {
        controller.navigationController?.pushViewController(next, animated: true)
    }
}
