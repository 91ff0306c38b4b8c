import BillfoldJSON
public import Foundation
public import MiniPrograms

/// The logic of one mini program, ready to run: its CommonJS modules with their source maps, and the pages of its `app.json`.
public struct MiniProgramCode: Sendable {
    /// One file that `require` can give.
    public struct Module: Sendable {
        /// CommonJS, or the text of a `.json` file.
        public var text: String
        public var map: SourceMap?

        public init(text: String, map: SourceMap? = nil) {
            self.text = text
            self.map = map
        }
    }

    /// Routes without a leading slash or a suffix, the home page first; sub-packages' pages with their root.
    public var pages: [String]
    /// Those of them that the tab bar shows.
    public var tabPages: [String]
    /// By absolute path within the package, such as `/pages/index/index.js`.
    public var modules: [String: Module]

    public init(pages: [String], tabPages: [String] = [], modules: [String: Module]) {
        self.pages = pages
        self.tabPages = tabPages
        self.modules = modules
    }

    /// No script at all: an HTML5 mini program, whose pages come from its server and call over a ``WebBridge``.
    public static let webPages = MiniProgramCode(pages: [], modules: [:])

    static let suffixes = ["", ".js", ".ts", ".json", "/index.js", "/index.ts", "/index.json"]

    /// Reads a folder that holds `app.json`, or whose `mini.project.json` names the folder that does. A `.js.map` beside a `.js` is its
    /// source map; links are not followed.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - packer: Turns ES modules into CommonJS; nil where the folder is packed already.
    /// - Throws: `malformed-program`, `packing-failed`, `syntax-error`, `malformed-source-map`.
    public init(folder: URL, packer: (any ModulePacker)? = nil) throws(AppContainerError) {
        let folder = try MiniProgramFolder(folder, endings: ["js", "ts", "json", "map"])
        let scripts = folder.scripts.map { "/" + $0 }
        guard let packer else {
            try self.init(folder.files, scripts: try Self.modules(scripts, of: folder.files))
            return
        }
        try self.init(folder.files, scripts: try packer.pack(scripts, in: folder.root))
    }

    /// Takes the files of a package that was verified. Its scripts are CommonJS; a `.map` beside one is its source map.
    ///
    /// - Throws: `malformed-program`, `missing-page` for a page of `app.json` that has no script, `malformed-source-map`.
    public init(package: MiniProgramPackage) throws(AppContainerError) {
        let scripts = package.files.keys.filter { $0.hasSuffix(".js") || $0.hasSuffix(".ts") }.sorted().map { "/" + $0 }
        try self.init(package.files, scripts: try Self.modules(scripts, of: package.files))
        if let page = pages.first(where: { modules["/\($0).js"] == nil && modules["/\($0).ts"] == nil }) {
            throw AppContainerError(code: .missingPage, reason: "page \(AppContainerError.quoted(page)) of app.json has no script")
        }
    }

    private init(_ files: [String: [UInt8]], scripts: [String: Module]) throws(AppContainerError) {
        guard let bytes = files["app.json"] else {
            throw AppContainerError(code: .malformedProgram, reason: "there is no app.json")
        }
        let configuration: AppConfiguration
        do throws(MiniProgramError) {
            configuration = try AppConfiguration.read(bytes).configuration
        } catch {
            throw AppContainerError(code: .malformedProgram, reason: error.reason)
        }
        pages = configuration.routes
        tabPages = configuration.tabs.map(\.pagePath)
        modules = scripts
        for (path, bytes) in files where path.hasSuffix(".json") { modules["/" + path] = Module(text: Self.text(bytes)) }
    }

    /// Scripts that are CommonJS already.
    private static func modules(_ scripts: [String], of files: [String: [UInt8]]) throws(AppContainerError) -> [String: Module] {
        var modules: [String: Module] = [:]
        for path in scripts {
            let name = String(path.dropFirst())
            var module = Module(text: text(files[name] ?? []))
            if let map = files[name + ".map"] { module.map = try SourceMap(map) }
            modules[path] = module
        }
        return modules
    }

    /// A byte order mark is dropped: editors write it [O].
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
    }

    // MARK: Finding modules

    /// Where `require(name)` in a module leads: relative to it, absolute within the package (`/util/a`), or in `node_modules`.
    ///
    /// - Throws: `module-not-found`, `module-outside-package`.
    public func resolve(_ name: String, from module: String) throws(AppContainerError) -> String {
        let folder = module.split(separator: "/").dropLast()
        if name.hasPrefix("/") { return try find(name.split(separator: "/"), name, from: module) }
        if name == "." || name == ".." || name.hasPrefix("./") || name.hasPrefix("../") {
            return try find(folder + name.split(separator: "/"), name, from: module)
        }
        var place = Array(folder)
        while true {
            if let path = try? find(place + ["node_modules"] + name.split(separator: "/"), name, from: module) { return path }
            if place.isEmpty { break }
            place.removeLast()
        }
        // Some projects write a path from the root without its slash.
        return try find(name.split(separator: "/"), name, from: module)
    }

    private func find(_ steps: [Substring], _ name: String, from module: String) throws(AppContainerError) -> String {
        var places: [Substring] = []
        for step in steps where step != "." {
            if step != ".." {
                places.append(step)
            } else if places.popLast() == nil {
                throw AppContainerError(
                    code: .moduleOutsidePackage, reason: "\(AppContainerError.quoted(name)) in \(module) leads out of the package")
            }
        }
        let path = "/" + places.joined(separator: "/")
        for suffix in Self.suffixes where modules[path + suffix] != nil { return path + suffix }
        if let manifest = modules[path + "/package.json"],
            let object = try? JSONReader.readObject([UInt8](manifest.text.utf8), maximumBytes: 262_144),
            let main = object["main"]?.string, main != "."
        {
            if let found = try? find(places + main.split(separator: "/"), name, from: module) { return found }
        }
        throw AppContainerError(code: .moduleNotFound, reason: "\(AppContainerError.quoted(name)) in \(module) is not in the package")
    }
}
