import BillfoldJSON
public import Foundation
import MiniPrograms

/// A mini program's files as they lie in a folder: those that its author wrote, or those of a package that was unpacked.
public struct MiniProgramFolder: Sendable {
    /// The folder with `app.json`: the given one, or the one that its `mini.project.json` names as `miniprogramRoot`
    /// (mini-programs.md#configuration).
    public let root: URL
    /// Bytes by path from the root, such as `pages/index/index.js`. Hidden files and links are left out.
    public let files: [String: [UInt8]]

    static let fileLimit = 4_194_304
    static let totalLimit = 33_554_432

    /// Reads a folder. A file of more than 4 MB, or more than 32 MB of files, are refused.
    ///
    /// - Parameters:
    ///   - folder: The mini program's, or its project's.
    ///   - endings: Only files that end so are read, such as `js`; nil reads all.
    /// - Throws: `malformed-program`.
    public init(_ folder: URL, endings: Set<String>? = nil) throws(AppContainerError) {
        root = try Self.root(of: folder)
        files = try Self.files(in: root, endings)
    }

    /// The paths of its scripts, sorted. Declarations of TypeScript are none.
    public var scripts: [String] {
        files.keys.filter { ($0.hasSuffix(".js") || $0.hasSuffix(".ts")) && !$0.hasSuffix(".d.ts") }.sorted()
    }

    /// The files that go into a package: scripts as CommonJS under their own names, each with its source map beside it, and every other
    /// file as it is. The same files give the same bytes.
    ///
    /// - Throws: `packing-failed`, `syntax-error`.
    public func packed(by packer: any ModulePacker) throws(AppContainerError) -> [String: [UInt8]] {
        var result = files.filter { !$0.key.hasSuffix(".d.ts") }
        for (path, module) in try packer.pack(scripts.map { "/" + $0 }, in: root) {
            let path = String(path.dropFirst())
            result[path] = Array(module.text.utf8)
            result[path + ".map"] = module.map.map { Array($0.text.utf8) }
        }
        return result
    }

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

    private static func files(in root: URL, _ endings: Set<String>?) throws(AppContainerError) -> [String: [UInt8]] {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .isSymbolicLinkKey, .fileSizeKey]
        guard let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: Array(keys)) else {
            throw AppContainerError(code: .malformedProgram, reason: "the folder cannot be read")
        }
        // A path of one folder has no slash at its end, whatever the address had.
        let base = root.path.hasSuffix("/") ? root.path.utf8.count : root.path.utf8.count + 1
        var files: [String: [UInt8]] = [:]
        var total = 0
        for case let file as URL in walk {
            let path = String(decoding: file.standardizedFileURL.path.utf8.dropFirst(base), as: UTF8.self)
            if path.hasPrefix(".") || path.contains("/.") { continue }
            guard let values = try? file.resourceValues(forKeys: keys), values.isRegularFile == true, values.isSymbolicLink != true,
                endings?.contains(file.pathExtension) ?? true
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
}
