import MiniPrograms

/// A refusal in the protocol's own words; nothing was stored.
struct OpenAPIRefusal: Error, Sendable, CustomStringConvertible {
    var result: OpenAPIResult

    init(_ result: OpenAPIResult, _ message: String? = nil) { self.result = message.map { result.saying($0) } ?? result }

    var description: String { "\(result)" }
}
