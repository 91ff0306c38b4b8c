import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// `GET /provisioning/v1/tokens`: the bank's books of tokens, for its own server. Deleted ones stay in them.
struct TokenBookRoutes: Sendable {
    let context: TokenContext

    private struct Answer: Encodable {
        var tokens: [TokenView]
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/provisioning/v1/tokens") { request, _ in
            try await context.host.callerKeys.requireBank(request.bearer)
            let tokens = try await context.database.read { tx in
                let causes = try SuspensionRecords.all(in: tx)
                return try CardScheme.allCases.flatMap { try TokenRecords.list(network: $0, in: tx) }
                    .map { TokenView($0, heldFor: causes[$0.reference] ?? []) }
            }
            return try JSONAnswer.make(Answer(tokens: tokens), headers: [.cacheControl: "no-store"])
        }
    }
}
