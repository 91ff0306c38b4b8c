import BillfoldJSON
import Foundation
import MiniPrograms

/// Which pages are open, and what each navigation does to them (mini-programs.md#navigation). Pure: the changes are values, to be told in
/// order.
struct PageStack {
    struct Page: Equatable {
        var id: Int
        var route: String
    }

    enum Change: Equatable {
        case load(Page, query: [String: String])
        case show(Page)
        case hide(Page)
        case unload(Page)
    }

    static let depth = 10

    let pages: [String]
    let tabs: Set<String>
    private(set) var stack: [Page] = []
    /// Tab pages that are alive and not shown.
    private var keptTabs: [String: Page] = [:]
    private var lastID = 0

    init(pages: [String], tabs: [String]) {
        self.pages = pages
        self.tabs = Set(tabs)
    }

    var top: Page? { stack.last }

    /// - Throws: 2 for a page that is not listed, a wrong kind of page, or a stack that is full.
    mutating func apply(_ name: String, _ arguments: JSONObject) throws(JSAPIFailure) -> [Change] {
        if name == "navigateBack" { return back(arguments["delta"]?.int ?? 1) }
        let (route, query) = try target(arguments["url"]?.string ?? "", name)
        let isTab = tabs.contains(route)
        switch name {
        case "navigateTo", "redirectTo":
            guard !isTab else { throw JSAPIFailure(.invalidParameter, "\(name): \(route) is a tab page: call switchTab") }
            if name == "redirectTo" {
                let closed = close(1)
                return closed + open(route, query)
            }
            guard stack.count < Self.depth else {
                throw JSAPIFailure(.invalidParameter, "navigateTo: \(Self.depth) pages are open, which is the most there may be")
            }
            return (top.map { [.hide($0)] } ?? []) + open(route, query)
        case "switchTab":
            guard isTab else { throw JSAPIFailure(.invalidParameter, "switchTab: \(route) is no tab page") }
            guard query.isEmpty else { throw JSAPIFailure(.invalidParameter, "switchTab: a tab page takes no query") }
            return switchTab(to: route)
        default:
            let closed = close(stack.count) + keptTabs.values.sorted { $0.id < $1.id }.map { .unload($0) }
            keptTabs = [:]
            return closed + open(route, query)
        }
    }

    private mutating func open(_ route: String, _ query: [String: String]) -> [Change] {
        lastID += 1
        let page = Page(id: lastID, route: route)
        stack.append(page)
        return [.load(page, query: query), .show(page)]
    }

    /// Closes pages from the top; a tab page is kept alive by ``switchTab(to:)`` only.
    private mutating func close(_ count: Int) -> [Change] {
        let closed = stack.suffix(count).reversed().map { Change.unload($0) }
        stack.removeLast(min(count, stack.count))
        return closed
    }

    private mutating func back(_ delta: Int) -> [Change] {
        guard stack.count > 1 else { return [] }
        // Beyond the first page is home (mini-programs.md#navigation).
        let closed = close(min(max(1, delta), stack.count - 1))
        return closed + (top.map { [.show($0)] } ?? [])
    }

    private mutating func switchTab(to route: String) -> [Change] {
        if let top, top.route == route, stack.count == 1 { return [] }
        var changes: [Change] = []
        for page in stack.reversed() {
            if tabs.contains(page.route) {
                changes.append(.hide(page))
                keptTabs[page.route] = page
            } else {
                changes.append(.unload(page))
            }
        }
        stack = []
        guard let kept = keptTabs.removeValue(forKey: route) else { return changes + open(route, [:]) }
        stack = [kept]
        return changes + [.show(kept)]
    }

    /// The route and query of an address: absolute with a slash, else relative to the page on top.
    func target(_ address: String, _ name: String) throws(JSAPIFailure) -> (route: String, query: [String: String]) {
        guard address.utf8.count <= 4096 else { throw JSAPIFailure(.invalidParameter, "\(name): the address is too long") }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first.map(String.init) ?? ""
        var steps: [Substring] = path.hasPrefix("/") ? [] : (top?.route.split(separator: "/").dropLast() ?? []).map { $0 }
        for step in path.split(separator: "/") where step != "." {
            if step != ".." {
                steps.append(step)
            } else if steps.popLast() == nil {
                throw JSAPIFailure(
                    .invalidParameter, "\(name): \(AppContainerError.quoted(path, limit: 128)) leads out of the mini program")
            }
        }
        // Real code also writes a whole route without its slash.
        let routes = [steps.joined(separator: "/"), path]
        guard let route = routes.first(where: pages.contains) else {
            throw JSAPIFailure(.invalidParameter, "\(name): \(AppContainerError.quoted(path, limit: 128)) is no page of app.json")
        }
        return (route, parts.count > 1 ? Self.query(String(parts[1])) : [:])
    }

    /// `a=b&c=d`. Values that are no valid percent encoding stay as they are: real code sends them so [O].
    static func query(_ text: String) -> [String: String] {
        var query: [String: String] = [:]
        for pair in text.split(separator: "&").prefix(256) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = sides.first, !name.isEmpty else { continue }
            let value = sides.count > 1 ? sides[1] : ""
            query[name.removingPercentEncoding ?? name] = value.removingPercentEncoding ?? value
        }
        return query
    }
}
