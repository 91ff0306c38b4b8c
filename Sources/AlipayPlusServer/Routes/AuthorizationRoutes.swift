import HTTPTypes
import Hummingbird

/// The two addresses that a person passes on the way to a consent and back.
struct AuthorizationRoutes: Sendable {
    let service: AuthorizationService

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/authorize/:reference") { _, parameters in
            try Self.redirect(await service.walletPage(parameters.parameters.require("reference")))
        }
        router.get("/authorized/:reference") { _, parameters in
            try Self.redirect(await service.returnAddress(parameters.parameters.require("reference")))
        }
    }

    private static func redirect(_ url: String?) throws(AlipayPlusServerError) -> Response {
        guard let url else { throw AlipayPlusServerError(code: .notFound, reason: "there is no such authorisation, or it was decided") }
        return Response(status: .seeOther, headers: [.location: url, .cacheControl: "no-store"])
    }
}
