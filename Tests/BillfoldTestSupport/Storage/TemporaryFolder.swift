import Foundation

/// A folder of its own for one test, removed with everything in it when the value goes.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter parent: The system's temporary folder when it is `nil`.
    public init(under parent: String? = nil) throws {
        var template = Array(((parent ?? NSTemporaryDirectory()) + "/billfold-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        // As the kernel spells it, without links or doubled slashes: what watches file names compares them.
        guard let real = realpath(template, nil) else { throw CocoaError(.fileReadUnknown) }
        defer { free(real) }
        path = String(cString: real)
    }

    public func path(_ name: String) -> String { path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
