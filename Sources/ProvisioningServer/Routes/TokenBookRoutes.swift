import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// `GET /provisioning/v1/tokens`: the bank's books of tokens, for its own server. Deleted ones stay in them.
struct TokenBookRoutes: Sendable {
    let context: TokenContext

    private struct Answer: Encodable {
        struct Token: Encodable {
            var tokenReference: String
            var card: String?
            var primaryAccountIdentifier: String
            var state: TokenState
            var suspendedBy: [String]
            var sequence: Int64
            var deviceAccountSuffix: String?
            var secureElement: String?
        }
        var tokens: [Token]
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/provisioning/v1/tokens") { request, _ in
            guard let bearer = request.bearer, try await context.host.callerKeys.caller(bearer: bearer) == .bank else {
                throw AppSessions.unauthorized
            }
            let tokens = try await context.database.read { tx in
                try CardScheme.allCases.flatMap { try TokenRecords.list(network: $0, in: tx) }
            }
            return try JSONAnswer.make(
                Answer(
                    tokens: tokens.map { token in
                        .init(
                            tokenReference: token.reference, card: token.card, primaryAccountIdentifier: token.primaryAccountIdentifier,
                            state: token.snapshot.state, suspendedBy: token.snapshot.suspendedBy.map(\.rawValue).sorted(),
                            sequence: token.snapshot.sequence, deviceAccountSuffix: token.deviceAccountSuffix,
                            secureElement: token.device?.secureElement)
                    }), headers: [.cacheControl: "no-store"])
        }
    }
}
