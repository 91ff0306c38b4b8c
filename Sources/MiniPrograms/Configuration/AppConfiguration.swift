public import BillfoldDiagnosis
import BillfoldJSON

/// `app.json`, read leniently: what is understood is here, what is not becomes a finding (mini-programs.md#configuration).
public struct AppConfiguration: Sendable {
    /// One entry of the bar of tabs.
    public struct TabItem: Sendable, Hashable {
        /// A page's route, without a suffix.
        public var pagePath: String
        public var name: String
        public var icon: String?
        public var activeIcon: String?
    }

    /// Pages that a package holds apart from the main ones.
    public struct SubPackage: Sendable, Hashable {
        public var root: String
        /// Relative to the root, as written.
        public var pages: [String]

        /// The routes of its pages: root and page joined.
        public var routes: [String] { pages.map { ConfigurationPath.join(root, $0) } }
    }

    /// The main package's routes; the first is home.
    public var pages: [String]
    public var subPackages: [SubPackage]
    public var tabs: [TabItem]
    public var window: WindowSettings
    /// Components that every page may use, by their names in templates.
    public var usingComponents: [String: String]

    /// Every route, sub-packages included.
    public var routes: [String] { pages + subPackages.flatMap(\.routes) }
    public var home: String? { pages.first }

    /// Reads the file. `malformed-json` for other bytes; `missing-field` without a page. Everything else is a finding.
    public static func read(_ bytes: [UInt8]) throws(MiniProgramError) -> (configuration: AppConfiguration, findings: [Finding]) {
        let object = try AppConfigurationFile.object(bytes, "app.json")
        var reader = ConfigurationReader(file: "app.json")
        let pages = reader.texts(object["pages"], "pages").map(ConfigurationPath.route)
        guard !pages.isEmpty else { throw MiniProgramError(code: .missingField, reason: "app.json names no page") }
        let window = WindowSettings(object["window"]?.object ?? JSONObject(), &reader)
        let configuration = AppConfiguration(
            pages: pages, subPackages: subPackages(object, &reader), tabs: tabs(object["tabBar"], &reader), window: window,
            usingComponents: reader.textMap(object["usingComponents"], "usingComponents"))
        reader.unknown(object, besides: known)
        configuration.addRuleFindings(to: &reader)
        return (configuration, reader.findings)
    }

    static let known: Set<String> = [
        "pages", "window", "tabBar", "subPackages", "subpackages", "preloadRule", "usingComponents", "permission", "networkTimeout",
        "debug",
        "behavior", "plugins", "lazyCodeLoading", "permissionDescription", "enableSkia", "sitemapLocation", "style",
    ]

    private static func subPackages(_ object: JSONObject, _ reader: inout ConfigurationReader) -> [SubPackage] {
        var result: [SubPackage] = []
        for value in (object["subPackages"] ?? object["subpackages"])?.array ?? [] {
            guard let root = value["root"]?.string, !root.isEmpty else {
                reader.add("sub-package-root", "a sub-package has no root", mend: "Name the folder of the sub-package in root.")
                continue
            }
            result.append(SubPackage(root: ConfigurationPath.route(root), pages: reader.texts(value["pages"], "subPackages.pages")))
        }
        return result
    }

    private static func tabs(_ value: JSONValue?, _ reader: inout ConfigurationReader) -> [TabItem] {
        guard let bar = value?.object else { return [] }
        if bar["list"] != nil, bar["items"] == nil {
            reader.add(
                "wechat-key", severity: .warning, "tabBar.list is another framework's name", evidence: "tabBar.list",
                mend: "Rename list to items, text to name, iconPath to icon and selectedIconPath to activeIcon.")
        }
        return (bar["items"]?.array ?? []).compactMap { item in
            guard let path = item["pagePath"]?.string else {
                reader.add("tab-page", "a tab has no pagePath", mend: "Name the tab's page in pagePath.")
                return nil
            }
            return TabItem(
                pagePath: ConfigurationPath.route(path), name: item["name"]?.string ?? "", icon: item["icon"]?.string,
                activeIcon: item["activeIcon"]?.string)
        }
    }

    /// The rules between members.
    private func addRuleFindings(to reader: inout ConfigurationReader) {
        for route in routes where !ConfigurationPath.isSafe(route) {
            reader.add(
                "page-path", "a page's path leaves the package", evidence: route,
                mend: "Write the path from the package's root, without dots.")
        }
        for route in Set(routes) where routes.count(where: { $0 == route }) > 1 {
            reader.add("duplicate-page", "a page is listed twice", evidence: route, mend: "List each page once.")
        }
        guard !tabs.isEmpty else { return }
        // The limits are inferred [I].
        if !(2...5).contains(tabs.count) {
            reader.add(
                "tab-count", severity: .warning, "a tab bar has two to five tabs", evidence: String(tabs.count),
                mend: "Leave the tab bar out, or change its items.")
        }
        for tab in tabs where !pages.contains(tab.pagePath) {
            let inSub = subPackages.contains { $0.routes.contains(tab.pagePath) }
            reader.add(
                inSub ? "tab-in-sub-package" : "tab-page",
                inSub ? "a tab's page lies in a sub-package" : "a tab's page is not listed in pages", evidence: tab.pagePath,
                mend: "A tab's page belongs to the main package and is listed in pages.")
        }
    }
}

/// Paths inside of a package.
enum ConfigurationPath {
    /// A route as the container knows it: no slash at its beginning, none at its end.
    static func route(_ path: String) -> String {
        var path = path[...]
        while path.hasPrefix("/") { path = path.dropFirst() }
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    static func join(_ root: String, _ page: String) -> String { route(root) + "/" + route(page) }

    static func isSafe(_ route: String) -> Bool {
        !route.isEmpty && !route.contains("\\")
            && !route.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
    }

    /// Where a path that a file names leads: absolute, relative to the file's folder, or nil for a package of npm and for one that leaves.
    static func resolve(_ path: String, from file: String) -> String? {
        if path.hasPrefix("/") { return route(path) }
        guard path.hasPrefix(".") else { return nil }
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                guard !parts.isEmpty else { return nil }
                parts.removeLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}

enum AppConfigurationFile {
    /// A byte order mark is dropped: editors write it [O].
    static func object(_ bytes: [UInt8], _ name: String) throws(MiniProgramError) -> JSONObject {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do throws(JSONError) {
            return try JSONReader.readObject(bytes, maximumBytes: 1 << 20)
        } catch {
            throw MiniProgramError(code: .malformedJSON, reason: "\(name) is not strict JSON: \(error.reason)")
        }
    }
}
