import Foundation

/// Reads the files of `Tests/Field`.
public enum FieldInput {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Field")

    public static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appendingPathComponent(path))) }

    /// Where the file lies, for a command that reads it itself.
    public static func path(_ path: String) -> String { folder.appendingPathComponent(path).path }

    /// The files of a folder by their names, sorted.
    public static func files(_ path: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path).sorted().map {
            ($0, try bytes("\(path)/\($0)"))
        }
    }
}
