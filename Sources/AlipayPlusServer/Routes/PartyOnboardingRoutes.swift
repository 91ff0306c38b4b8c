import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import HTTPTypes
import Hummingbird

/// `POST /onboarding/v1/acquirers` and `/onboarding/v1/wallets`, in test mode only, with the onboarding key.
struct PartyOnboardingRoutes: Sendable {
    let onboarding: PartyOnboarding
    let key: Secret<String>
    let context: AlipayPlusServerContext

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/onboarding/v1/acquirers") { request, _ in
            try admit(request)
            return try JSONAnswer.make(
                await onboarding.registerAcquirer(try await request.json(upTo: Self.bodyLimit)), headers: [.cacheControl: "no-store"])
        }
        router.post("/onboarding/v1/wallets") { request, _ in
            try admit(request)
            return try JSONAnswer.make(
                await onboarding.registerWallet(try await request.json(upTo: Self.bodyLimit)), headers: [.cacheControl: "no-store"])
        }
    }

    private func admit(_ request: Request) throws(AlipayPlusServerError) {
        guard let bearer = request.bearer,
            context.hash(bearer, purpose: "onboarding").matches(context.hash(key.reveal(), purpose: "onboarding"))
        else { throw AlipayPlusServerError(code: .unauthorized, reason: "the request carries no onboarding key") }
    }

    private static let bodyLimit = 262_144
}
