import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// What a bank's support desk asks: `GET /bank/v1/tokens` by card, customer, wallet, device and state, one token, and `POST
/// /bank/v1/tokens/{reference}/actions`.
struct BankTokenRoutes: Sendable {
    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }
    private var service: BankTokenService { BankTokenService(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/bank/v1/tokens") { request, _ in try await list(request) }
        router.get("/bank/v1/tokens/:reference") { request, context in
            let reference = try BankRequests.name(context.parameters.require("reference"), "tokenReference")
            try await requests.authorize(request)
            guard let found = try await service.find(reference) else { throw Self.notFound }
            return try BankRequests.fresh(Token(found))
        }
        router.post("/bank/v1/tokens/:reference/actions") { request, context in
            try await act(request, on: try BankRequests.name(context.parameters.require("reference"), "tokenReference"))
        }
    }

    private static var notFound: ProvisioningError {
        ProvisioningError(code: .tokenNotFound, reason: "no network told of such a token")
    }

    // MARK: Reading

    private struct Token: Encodable {
        struct Wallet: Encodable {
            var requestor: String
            /// `nil` for one that is not known here.
            var name: String?
        }

        struct Device: Encodable {
            var secureElement: String
            var kind: String
            var name: String
        }

        /// Why it is as it is: what was asked of the network last.
        struct Action: Encodable {
            var action: String
            var reason: ProvisioningActionReason
            var remark: String?
            var state: String
            var at: Int64
        }

        var tokenReference: String
        var network: CardScheme
        var card: String?
        var cardSuffix: String?
        var customer: String?
        var primaryAccountIdentifier: String
        var wallet: Wallet?
        var device: Device?
        var deviceAccountSuffix: String?
        var state: TokenState
        var suspendedBy: [String]
        /// Why the bank holds it suspended.
        var heldFor: [String]
        var pendingAction: String?
        var lastAction: Action?
        var createdAt: Int64
        var changedAt: Int64

        init(_ found: BankTokenService.Found) {
            let token = found.token
            tokenReference = token.reference
            network = token.network
            card = token.card
            cardSuffix = found.card?.suffix
            customer = found.card?.customer
            primaryAccountIdentifier = token.primaryAccountIdentifier
            wallet = token.requestor.map { .init(requestor: $0, name: TokenRequestorRule.wallet(of: $0, at: token.network)) }
            device = token.device.map { .init(secureElement: $0.secureElement, kind: $0.kind.rawValue, name: $0.name) }
            deviceAccountSuffix = token.deviceAccountSuffix
            state = token.snapshot.state
            suspendedBy = token.snapshot.suspendedBy.sorted().map(\.rawValue)
            heldFor = found.causes.map(\.rawValue).sorted()
            pendingAction = found.pending?.name
            lastAction = found.last.map {
                .init(action: $0.name, reason: $0.reason, remark: $0.remark, state: $0.state.rawValue, at: $0.at.milliseconds)
            }
            createdAt = token.createdAt.milliseconds
            changedAt = token.changedAt.milliseconds
        }
    }

    private struct Listed: Encodable {
        var tokens: [Token]
        var next: String?
    }

    private func list(_ request: Request) async throws -> Response {
        try await requests.authorize(request)
        let (query, filter) = try request.page(
            of: "tokens", keys: [.integer, .text],
            filters: [
                "card", "customer", "state", "heldFor", "changedFrom", "network", "wallet", "requestor", "secureElement",
            ])
        let page = try await service.list(try Self.filter(filter), query)
        return try BankRequests.fresh(Listed(tokens: page.items.map(Token.init), next: page.next))
    }

    private static func filter(_ named: [String: String]) throws(ProvisioningError) -> TokenRecords.Filter {
        var filter = TokenRecords.Filter(card: named["card"], customer: named["customer"])
        if let text = named["state"] {
            filter.state = try RequestReader.known(text, in: "state", as: TokenState.self)
        }
        if let text = named["heldFor"] {
            filter.cause = try RequestReader.known(text, in: "heldFor", as: SuspensionCause.self)
        }
        if let text = named["changedFrom"] {
            // As a number of a body is: digits alone, and none in front that say nothing.
            guard let instant = Int64(text), String(instant) == text else {
                throw RequestReader.malformed("changedFrom", "is no whole number of milliseconds since 1970, such as 1795204800000")
            }
            filter.changedFrom = try BankRequests.instant(instant, "changedFrom")
        }
        if let text = named["network"] {
            filter.network = try RequestReader.known(text, in: "network", as: CardScheme.self)
        }
        if let text = named["secureElement"] { filter.secureElement = try BankRequests.secureElement(text) }
        if let requestor = named["requestor"] { filter.requestors = [requestor] }
        if let text = named["wallet"] {
            guard named["requestor"] == nil else { throw RequestReader.malformed("wallet", "stands beside requestor: name one of them") }
            guard let wallet = TokenRequestorRule.requestors(ofWallet: text) else {
                throw RequestReader.malformed("wallet", "is none of \(TokenRequestorRule.applePayWallet)")
            }
            filter.requestors = wallet
        }
        for (name, value) in named { _ = try name == "card" ? BankRequests.card(value, name) : BankRequests.name(value, name) }
        return filter
    }

    // MARK: Acting

    private func act(_ request: Request, on reference: String) async throws -> Response {
        try await requests.authorize(request)
        let key = try BankRequests.idempotencyKey(request)
        let body = try RequestReader(try await request.json(), allowing: ["action", "reason", "remark"])
        guard let action = ProvisioningAction(rawValue: try body.text("action")), action != .activate else {
            throw RequestReader.malformed("action", "is neither suspend nor resume nor delete")
        }
        let reason = try RequestReader.known(body.text("reason"), in: "reason", as: ProvisioningActionReason.self)
        let remark = try body.optionalText("remark", maximum: 200)
        return try await context.host.trace.exchange(
            request, from: ProvisioningTrace.bank, title: "token action",
            asked: [.init("action", action.rawValue), .init("reason", reason.rawValue)], about: ["provisioning.token": reference]
        ) {
            let answer = try await service.act(action, on: reference, because: reason, remark: remark, key: key)
            return (BankRequests.stored(answer, status: .accepted), [])
        }
    }
}
