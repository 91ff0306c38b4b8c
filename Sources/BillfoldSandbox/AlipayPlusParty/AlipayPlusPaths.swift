import AlipayPlus
import HTTPTypes
import Hummingbird

/// Where a party takes the gateway's calls.
enum AlipayPlusPaths {
    /// Whom a call says it is for.
    static func clientID(of request: Request) -> String? {
        HTTPField.Name(AlipayPlusHeaders.clientID).flatMap { request.headers[$0] }
    }

    /// Adds `POST /aps/api/v1/<group>/<api>`.
    static func add<Context: RequestContext>(
        to router: some RouterMethods<Context>, _ take: @escaping @Sendable (Request) async throws -> Response
    ) {
        router.group("aps").add(middleware: SandboxErrors()).post("api/v1/**") { request, _ in try await take(request) }
    }
}
