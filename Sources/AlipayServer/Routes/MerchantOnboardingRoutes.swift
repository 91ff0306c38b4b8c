import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import Hummingbird

/// `POST /onboarding/v1/merchants`, in test mode only: a merchant registers itself with the onboarding key.
struct MerchantOnboardingRoutes: Sendable {
    let onboarding: MerchantOnboarding
    let key: Secret<String>
    let context: AlipayServerContext

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/onboarding/v1/merchants") { request, _ in
            let keys = context.configuration.keys.hashing
            guard let bearer = request.bearer,
                KeyedHash(of: bearer.utf8, purpose: "onboarding", key: keys)
                    .matches(KeyedHash(of: key.reveal().utf8, purpose: "onboarding", key: keys))
            else { throw AlipayServerError(code: .unauthorized, reason: "the request carries no onboarding key") }
            return try JSONAnswer.make(
                await onboarding.register(try await request.gatewayJSON()), headers: [.cacheControl: "no-store"])
        }
    }
}
