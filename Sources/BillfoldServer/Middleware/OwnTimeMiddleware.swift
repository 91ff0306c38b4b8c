import BillfoldStorage
package import Hummingbird

/// Has each request live at everybody's time until its owner is known, in an installation where owners may be ahead.
package struct OwnTimeMiddleware<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await OwnTime.visiting { try await next(request, context) }
    }
}
