import BillfoldWeb
import HTTPTypes
import Hummingbird

/// `GET /connect`, the roles that a program of somebody's own can take in the sandbox; `GET /connect/{role}`, addresses, keys and what to
/// build first; `GET /connect/{role}/environment`, the same as a file that shells read. In test mode alone: keys stand in them.
///
/// Who only looks is refused with 401 `sign-in-required`: with these keys somebody acts.
struct ConnectRoutes: Sendable {
    let guides: [ConnectGuide]

    func add(to room: ConsoleRoom, pages: any ConsolePages) {
        room.page("/connect") { [guides] request, context, reader in
            _ = try context.operatorInRole(.operator)
            return try pages.connect(guides, in: Self.language(request), for: reader)
        }
        room.page("/connect/{role}") { request, context, reader in
            _ = try context.operatorInRole(.operator)
            return try pages.connect(guide(context), in: Self.language(request), for: reader)
        }
        room.router.get("/connect/{role}/environment") { _, context in
            _ = try context.operatorInRole(.operator)
            guard let guide = guides.first(where: { $0.slug == context.pathPart("role") }) else {
                throw ServerError(code: .notFound, reason: "no role has that name", status: .notFound)
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .contentDisposition: "attachment; filename=\"billfold-\(guide.slug).env\"",
                ], body: ResponseBody(byteBuffer: ByteBuffer(string: guide.environment)))
        }
    }

    private func guide(_ context: ServerRequestContext) throws(NoPage) -> ConnectGuide {
        guard let guide = guides.first(where: { $0.slug == context.pathPart("role") }) else { throw NoPage("no role has that name") }
        return guide
    }

    private static func language(_ request: Request) -> ConnectLanguage {
        ConnectLanguage(
            named: request.uri.queryParameters["language"].map(String.init), accepted: request.headers[.acceptLanguage])
    }
}
