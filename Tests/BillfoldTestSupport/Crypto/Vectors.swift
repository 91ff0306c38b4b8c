public import Foundation

/// Reads known-answer files from the folder that the environment variable `BILLFOLD_VECTORS` names.
///
/// A suite that needs them is marked `.enabled(if: Vectors.available("apple-pay-acceptance"))`. When the variable is
/// unset or the folder is missing, the first question prints a banner, so that a skipped suite is never silent.
public enum Vectors {
    /// The folder, or nil when the variable is unset or names no folder.
    public static let root: URL? = {
        guard let path = ProcessInfo.processInfo.environment["BILLFOLD_VECTORS"], !path.isEmpty else {
            announceSkip("BILLFOLD_VECTORS is not set: every test that needs known-answer files is SKIPPED")
            return nil
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            announceSkip("BILLFOLD_VECTORS names no folder: every test that needs known-answer files is SKIPPED")
            return nil
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }()

    /// Says whether `path` (a file or folder relative to the root) is there.
    public static func available(_ path: String = "") -> Bool {
        guard let root else { return false }
        let found = FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
        if !found { announceSkip("\(path) is missing under BILLFOLD_VECTORS: the tests that need it are SKIPPED") }
        return found
    }

    /// Returns a file's address; throws ``Missing`` when it cannot be read.
    public static func url(_ path: String) throws -> URL {
        guard let root else { throw Missing(path: path) }
        let url = root.appendingPathComponent(path)
        guard FileManager.default.isReadableFile(atPath: url.path) else { throw Missing(path: path) }
        return url
    }

    public static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(path))) }

    public static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    public static func json<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: url(path)))
    }

    /// A file that a test needs and that is not there.
    public struct Missing: Error, CustomStringConvertible {
        public var path: String
        public init(path: String) { self.path = path }
        public var description: String { "no readable vector at \(path) under BILLFOLD_VECTORS" }
    }

    /// Prints a banner that nobody overlooks in a test log.
    public static func announceSkip(_ message: String) {
        let bar = String(repeating: "=", count: 100)
        print("\(bar)\n=== SKIPPED: \(message)\n\(bar)")
    }
}
