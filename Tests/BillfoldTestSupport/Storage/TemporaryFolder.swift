import Foundation

/// A folder of its own for one test, removed with everything in it when the value goes.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter parent: The system's temporary folder when it is `nil`.
    public init(under parent: String? = nil) throws {
        var template = Array(((parent ?? NSTemporaryDirectory()) + "/billfold-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    public func path(_ name: String) -> String { path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
