import HTTPTypes
package import Hummingbird
import Logging

extension HTTPField.Name {
    /// `X-Request-Id`: taken from the caller where it is well formed, made here otherwise, and always sent back.
    package static let requestID = HTTPField.Name("X-Request-Id")!  // swift-format-ignore: NeverForceUnwrap
}

extension RequestContext {
    /// The request's id. The framework's own `id` ends the process where a log handler keeps no metadata.
    package var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? "unknown" }
}

/// Gives every request an id that log lines, the answer and the caller share.
///
/// A caller's id is accepted when it has 8 to 64 characters out of letters, digits, `-`, `_` and `.`; anything else is
/// replaced, so that nothing a stranger writes can forge a log line.
package struct RequestIDMiddleware<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let offered = request.headers[.requestID], Self.isAcceptable(offered) {
            context.logger[metadataKey: "hb.request.id"] = .string(offered)
        }
        let id = context.requestID
        var response = try await next(request, context)
        response.headers[.requestID] = id
        return response
    }

    static func isAcceptable(_ id: String) -> Bool {
        (8...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
