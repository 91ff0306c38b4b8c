import BillfoldServer
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// A refusal that the trace has been told of where it was thrown.
struct ToldRefusal: Error {
    var error: any Error
}

/// Tells the trace of requests that were refused before their story began: without a good credential, without a key, not well formed.
///
/// Whoever has no good credential writes into nobody's story. In production nothing is told of those: anybody could fill the trace.
struct RefusalTeller<Context: RequestContext>: RouterMiddleware {
    let trace: MessageTrace

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let told as ToldRefusal {
            throw told.error
        } catch {
            tell(error, of: request, in: context)
            throw error
        }
    }

    private func tell(_ error: any Error, of request: Request, in context: Context) {
        // The acquirer's notifications are told where they are read.
        guard request.uri.path.hasPrefix("/v1/"), !trace.isReportedByCaller(request.headers),
            let refusal = ErrorMapping().withCardPayments().refusal(for: error)
        else { return }
        let isKnown = refusal.status != .unauthorized
        guard isKnown || trace.mode == .test else { return }
        var about: [String: String] = [:]
        if isKnown, let id = context.parameters.get("id"), let kind = Self.kind(of: request.uri.path) { about[kind] = id }
        let isPhone = request.bearer?.hasPrefix("cs_") ?? false
        trace.record(
            "\(request.method.rawValue) \(context.endpointPath ?? request.uri.path)", .request, from: isPhone ? "phone" : "shop",
            to: MessageTrace.merchant, fields: [.init("status", String(refusal.status.code))], about: about, problem: refusal.words)
    }

    /// What the id in a path is one of, as stories name it.
    private static func kind(of path: String) -> String? {
        ["order", "payment", "refund"].first { path.hasPrefix("/v1/\($0)s/") }
    }
}

extension Refusal {
    /// The code and the reason, as the trace has them.
    var words: String { "\(code): \(reason)" }
}
