import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Leads a customer from an order to its result.
struct CheckoutService: Sendable {
    let context: WalletContext
    let link: OrderGatewayLink
    let passwords: PasswordService
    let sender: PaymentSender

    /// Has the gateway check an order, or show a trade, and opens a checkout of it.
    ///
    /// Refuses with `order-refused` and the gateway's code, or with `gateway-unavailable`; then nothing is kept.
    ///
    /// - Returns: The token of the checkout, which is nowhere else.
    func open(
        _ order: OrderGatewayLink.OrderName, channel: Checkout.Channel, scheme: String?, language: WalletLanguage?, texts: WalletTexts
    ) async throws -> String {
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let summary: OrderSummary
        switch await link.open(order, channel: channel, language: language, requestID: id.description) {
        case .done(let told): summary = told
        case .refused(let refusal):
            throw WalletError(
                code: .orderRefused, reason: refusal.reason, gatewayCode: refusal.code, verifiedText: refusal.verifiedText,
                parameter: refusal.parameter, order: refusal.order)
        case .unknown(let reason), .notSent(let reason):
            throw WalletError(code: .gatewayUnavailable, reason: reason)
        }
        guard summary.payable.currency == context.configuration.currency, summary.payable.isPositive else {
            throw WalletError(code: .orderRefused, reason: "the order is in a currency that this wallet does not keep")
        }
        var checkout = Checkout(
            id: id, channel: channel, scheme: scheme, language: language, order: summary, state: .open, payable: summary.payable,
            createdAt: now, expiresAt: now.advanced(by: context.configuration.checkoutLifetime))
        if summary.state == .paid || summary.state == .closed {
            // Nothing is left to be done: the gateway's word is the result at once.
            checkout.state = .ended
            if case .done(let result) = await link.result(of: summary.reference) {
                checkout.result = result
            } else {
                checkout.result = summary.state == .closed ? .failed(texts) : .processing(texts)
            }
        }
        let token = context.random.token()
        let (hash, row) = (context.hash(token, "checkout"), checkout)
        try await context.database.writeRepeatably { tx in try CheckoutRecords.insert(row, token: hash, in: tx) }
        context.count("wallet_checkouts_total", [("channel", channel.rawValue)])
        return token
    }

    /// The checkout of a token. Refuses with `checkout-not-found`.
    func find(_ token: String) async throws -> Checkout {
        let missing = WalletError(code: .checkoutNotFound, reason: "there is no such checkout")
        guard token.utf8.count == 64 else { throw missing }
        let hash = context.hash(token, "checkout")
        guard let found = try await context.database.lookup({ tx in try CheckoutRecords.find(token: hash, in: tx) }) else { throw missing }
        if found.state == .ended, found.result?.isOutstanding ?? true { return try await askedAgain(found) }
        guard found.state == .open, found.expiresAt <= context.now() else { return found }
        let result = ClientResult.failed(WalletTexts(found.language ?? .english))
        return try await context.database.writeRepeatably { tx in
            try CheckoutRecords.end(found.id, by: .closed, result, in: tx)
            guard let ended = try CheckoutRecords.find(found.id, in: tx) else { throw missing }
            return ended
        }
    }

    /// A checkout that ended before its outcome could be told, with what the gateway knows by now.
    ///
    /// Of an order that is paid or over nothing was taken here, so the gateway's word stands, whatever it is. Where this checkout sent a
    /// payment, only what says that it was taken does: anything else stays unknown.
    private func askedAgain(_ checkout: Checkout) async throws -> Checkout {
        guard case .done(let result) = await link.result(of: checkout.order.reference), !result.isOutstanding,
            checkout.hold == nil ? result.resultStatus != "6001" : ["9000", "6004"].contains(result.resultStatus)
        else { return checkout }
        try await context.database.writeRepeatably { tx in try CheckoutRecords.learn(checkout.id, result, in: tx) }
        var checkout = checkout
        checkout.result = result
        return checkout
    }

    /// The customer's balance, for the page of means.
    func balance(of account: WalletAccount) async throws -> Balance {
        let currency = context.configuration.currency
        return try await context.database.lookup { tx in try BalanceRecords.find(account.id, currency, in: tx) }
    }

    /// The customer has chosen how to pay: the gateway makes the trade, or finds it again.
    ///
    /// Refuses with `trade-refused` and the gateway's code, for example for a second payer or an order that is over.
    func begin(_ checkout: Checkout, account: WalletAccount) async throws {
        try requireOwn(checkout, account)
        guard checkout.state == .open, checkout.trade == nil else { return }
        let told = await link.begin(
            reference: checkout.order.reference, buyer: account, requestID: "\(checkout.id)-\(account.number)")
        let trade: OrderGatewayLink.Trade
        switch told {
        case .done(let made): trade = made
        case .refused(let refusal):
            // Where the order itself is over, the checkout is too, and its client is told what the gateway knows.
            if case .done(let result) = await link.result(of: checkout.order.reference), result.resultStatus != "6001" {
                _ = try await context.database.writeRepeatably { tx in
                    try CheckoutRecords.end(checkout.id, by: .settled, result, in: tx)
                }
            }
            throw WalletError(
                code: .tradeRefused, reason: refusal.reason, gatewayCode: refusal.code, parameter: refusal.parameter, order: refusal.order)
        case .unknown(let reason), .notSent(let reason):
            throw WalletError(code: .gatewayUnavailable, reason: reason)
        }
        guard trade.payable.currency == context.configuration.currency, trade.payable.isPositive else {
            throw WalletError(code: .tradeRefused, reason: "the trade is in a currency that this wallet does not keep")
        }
        _ = try await context.database.writeRepeatably { tx in
            try CheckoutRecords.begin(checkout.id, account: account.id, trade: trade.number, payable: trade.payable, in: tx)
        }
    }

    func requireOwn(_ checkout: Checkout, _ account: WalletAccount) throws(WalletError) {
        guard checkout.account == nil || checkout.account == account.id else {
            throw WalletError(code: .checkoutNotFound, reason: "there is no such checkout")
        }
    }

    /// The client went away. Ends a checkout that was not submitted; a payment under way goes on.
    func close(_ checkout: Checkout, texts: WalletTexts) async throws -> ClientResult {
        let result = ClientResult.cancelled(texts)
        let now = try await context.database.writeRepeatably { tx in
            try CheckoutRecords.end(checkout.id, by: .closed, result, in: tx)
            return try CheckoutRecords.find(checkout.id, in: tx)
        }
        return self.result(of: now ?? checkout, texts: texts)
    }

    /// What the client may be told now.
    func result(of checkout: Checkout, texts: WalletTexts) -> ClientResult {
        switch checkout.state {
        case .open: .cancelled(texts)
        case .submitted: .processing(texts)
        case .ended: checkout.result ?? .processing(texts)
        }
    }
}
