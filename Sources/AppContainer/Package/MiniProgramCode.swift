import BillfoldJSON
public import Foundation

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

    static let fileLimit = 4_194_304
    static let totalLimit = 33_554_432
    static let suffixes = ["", ".js", ".ts", ".json", "/index.js", "/index.ts", "/index.json"]

    /// Reads a folder that holds `app.json`, or whose `mini.project.json` names the folder that does. A `.js.map` beside a `.js` is its
    /// source map; links are not followed.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - packer: Turns ES modules into CommonJS; nil where the folder is packed already.
    /// - Throws: `malformed-program`, `packing-failed`, `malformed-source-map`.
    public init(folder: URL, packer: (any ModulePacker)? = nil) throws(AppContainerError) {
        let root = try Self.root(of: folder)
        let files = try Self.files(in: root)
        guard let configuration = files["/app.json"] else {
            throw AppContainerError(code: .malformedProgram, reason: "there is no app.json")
        }
        (pages, tabPages) = try Self.pages(configuration)
        modules = [:]
        var scripts: [String] = []
        for (path, bytes) in files {
            if path.hasSuffix(".json") {
                modules[path] = Module(text: Self.text(bytes))
            } else if path.hasSuffix(".js") || path.hasSuffix(".ts") && !path.hasSuffix(".d.ts") {
                scripts.append(path)
            }
        }
        scripts.sort()
        if let packer {
            modules.merge(try packer.pack(scripts, in: root)) { _, packed in packed }
            return
        }
        for path in scripts {
            var module = Module(text: Self.text(files[path] ?? []))
            if let map = files[path + ".map"] { module.map = try SourceMap(map) }
            modules[path] = module
        }
    }

    /// The folder with `app.json`: the given one, or its `miniprogramRoot` (reference 4.1).
    private static func root(of folder: URL) throws(AppContainerError) -> URL {
        let folder = folder.standardizedFileURL
        guard let project = FileManager.default.contents(atPath: folder.appending(path: "mini.project.json").path),
            let object = try? JSONReader.readObject([UInt8](project)),
            let name = object["miniprogramRoot"]?.string ?? object["compileOptions"]?["miniprogramRoot"]?.string
        else { return folder }
        let root = folder.appending(path: name).standardizedFileURL
        guard root.path == folder.path || root.path.hasPrefix(folder.path + "/") else {
            throw AppContainerError(code: .malformedProgram, reason: "miniprogramRoot leads out of the folder")
        }
        return root
    }

    private static func files(in root: URL) throws(AppContainerError) -> [String: [UInt8]] {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .isSymbolicLinkKey, .fileSizeKey]
        guard let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: Array(keys)) else {
            throw AppContainerError(code: .malformedProgram, reason: "the folder cannot be read")
        }
        var files: [String: [UInt8]] = [:]
        var total = 0
        for case let file as URL in walk {
            let path = String(file.standardizedFileURL.path.dropFirst(root.path.count))
            if path.contains("/.") { continue }
            guard let values = try? file.resourceValues(forKeys: keys), values.isRegularFile == true, values.isSymbolicLink != true,
                ["js", "ts", "json", "map"].contains(file.pathExtension)
            else { continue }
            let size = values.fileSize ?? 0
            total += size
            guard size <= fileLimit, total <= totalLimit else {
                throw AppContainerError(code: .malformedProgram, reason: "\(AppContainerError.quoted(path)) makes it too large")
            }
            guard let bytes = FileManager.default.contents(atPath: file.path) else {
                throw AppContainerError(code: .malformedProgram, reason: "\(AppContainerError.quoted(path)) cannot be read")
            }
            files[path] = [UInt8](bytes)
        }
        return files
    }

    private static func pages(_ bytes: [UInt8]) throws(AppContainerError) -> (pages: [String], tabs: [String]) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(withoutMark(bytes), maximumBytes: 1_048_576, maximumDepth: 32)
        } catch {
            throw AppContainerError(code: .malformedProgram, reason: "app.json: \(error.reason)")
        }
        var pages = object["pages"]?.array?.compactMap(\.string) ?? []
        for package in object["subPackages"]?.array ?? [] {
            let root = package["root"]?.string ?? ""
            pages += (package["pages"]?.array?.compactMap(\.string) ?? []).map { root.hasSuffix("/") ? root + $0 : root + "/" + $0 }
        }
        pages = pages.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
        guard !pages.isEmpty else { throw AppContainerError(code: .malformedProgram, reason: "app.json lists no pages") }
        let tabs = object["tabBar"]?["items"]?.array?.compactMap { $0["pagePath"]?.string } ?? []
        return (pages, tabs.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 })
    }

    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: withoutMark(bytes), as: UTF8.self) }

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
