package import Hummingbird
import Logging

/// Turns every thrown error into `{"error":{"code","reason"}}`.
///
/// An error that no rule knows is our fault: the caller sees `internal` and the request id, the log names the error's type
/// and code, and neither sees what the error holds.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let mapping: ErrorMapping

    package init(mapping: ErrorMapping) { self.mapping = mapping }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if let refusal = mapping.refusal(for: error) {
                context.logger.debug("refused", metadata: ["code": "\(refusal.code)", "status": "\(refusal.status.code)"])
                return refusal.response
            }
            context.logger.error(
                "request failed",
                metadata: ["error": "\(ErrorMapping.logDescription(of: error))", "route": "\(context.endpointPath ?? "-")"])
            return Refusal(
                status: .internalServerError, code: "internal",
                reason: "the request could not be served; quote request id \(context.requestID)"
            ).response
        }
    }
}
