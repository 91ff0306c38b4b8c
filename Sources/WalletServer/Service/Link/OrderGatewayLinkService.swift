import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// What the gateway asks of the wallet: refunds and books.
struct OrderGatewayLinkService: Sendable {
    let context: WalletContext

    /// Gives a customer money back, once per request.
    ///
    /// Refuses with `request-id-reused` an id that was used for something else, with `payment-not-found` a payment that this customer did
    /// not make (of a trade that the books do not know at all the refund is kept for people, and the gateway goes on sending it), with
    /// `exceeds-payment` more than is left of it, and with `payment-unsettled` while the wallet does not know yet that the gateway has the
    /// money.
    ///
    /// - Parameter body: The request as it came.
    func refund(_ request: OrderGatewayRefund, body: [UInt8]) async throws {
        do { try await credit(request) } catch is ForgottenKey {
            return
        } catch is UnknownTrade {
            let notice = WalletNotices(context: context).notice(of: request, body: body)
            let links = AuditChain(key: context.configuration.keys.audit)
            let isNew = try await context.database.writeRepeatably { tx in
                try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx)
            }
            if isNew { context.tell(notice) }
            throw Self.noPayment
        }
    }

    /// The books have no payment of the trade that a refund is of.
    private struct UnknownTrade: Error {}

    /// The refund was credited so long ago that its key is forgotten. Thrown out of the write, so that its key is taken for no second one.
    private struct ForgottenKey: Error {}

    private static var noPayment: WalletError {
        WalletError(code: .paymentNotFound, reason: "this customer made no such payment")
    }

    private func credit(_ request: OrderGatewayRefund) async throws {
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let key = try IdempotencyKey(caller: "gateway", operation: Self.refundOperation, key: request.requestID)
        let configuration = context.configuration
        let keyed = KeyedRequest(key, fingerprint: request.fingerprint, subject: id, at: now)
        let decided = try await context.database.decideOnce(keyed, answering: []) { tx in
            // Once its key is forgotten, the refund is known by the request's id, which stays for ever.
            if let earlier = try RefundRecords.find(requestID: request.requestID, in: tx) {
                guard earlier.trade == request.trade, earlier.amount == request.amount,
                    try AccountRecords.find(earlier.account, in: tx)?.number == request.buyer
                else { throw Self.reused }
                throw ForgottenKey()
            }
            guard let account = try AccountRecords.find(number: request.buyer, in: tx) else { throw Self.noPayment }
            guard let hold = try HoldRecords.live(trade: request.trade, in: tx) else { throw UnknownTrade() }
            guard hold.account == account.id else { throw Self.noPayment }
            guard hold.state == .captured else {
                throw WalletError(code: .paymentUnsettled, reason: "the payment is not settled here yet")
            }
            guard try HoldRecords.refund(hold.id, request.amount, in: tx) else {
                throw WalletError(code: .exceedsPayment, reason: "more would be given back than is left of the payment")
            }
            guard try BalanceRecords.credit(request.amount, account.id, in: tx) else {
                throw WalletError(code: .corruptRecord, reason: "a customer has no balance")
            }
            try WalletPostings.refund.book(
                request.amount, customer: account.number, source: id, owner: configuration.owner, at: now, in: tx)
            try RefundRecords.insert(
                CustomerRefund(
                    id: id, requestID: request.requestID, hold: hold.id, account: account.id, trade: hold.trade, payee: hold.payee,
                    amount: request.amount, reason: EventDetail.storable(request.reason ?? ""), at: now), in: tx)
            try UnmatchedNoticeRecords.match(
                source: WalletNotices.source, naturalKey: WalletNotices.key(request), owner: configuration.owner, at: now,
                linking: AuditChain(key: configuration.keys.audit), in: tx)
        }
        if case .before(let outcome) = decided {
            guard case .finished = outcome else { throw Self.reused }
            return
        }
        context.trace.note("refund credited", fields: [.init("amount", "\(request.amount)")], about: ["alipay.trade": request.trade])
    }

    /// The operation of its idempotency keys.
    static let refundOperation = "POST /wallet/link/v1/refunds"
    private static var reused: WalletError { WalletError(code: .requestIDReused, reason: "the request id was used for another refund") }

    /// A page of what was paid and given back on a day: payments by the gateway's instant, refunds by ours.
    func books(of day: BookDay, after place: BookPlace?) async throws -> BookPage {
        let limit = context.configuration.bookPage
        return try await context.database.read { tx in
            let page = try BookPlace.page(
                after: place, limit: limit,
                payments: { place, limit in
                    try HoldRecords.captured(from: day.start, to: day.end, after: place, limit: limit, in: tx).map { hold in
                        let at = hold.paidAt ?? hold.createdAt
                        let entry = BookPage.Entry(
                            tradeNo: hold.trade, requestId: hold.requestID, kind: "payment", amount: LinkAmount(hold.amount),
                            at: at.microseconds / 1_000)
                        return (row: entry, place: BookPlace(.payment, at: at, id: hold.id))
                    }
                },
                refunds: { place, limit in
                    try RefundRecords.made(from: day.start, to: day.end, after: place, limit: limit, in: tx).map { refund in
                        let entry = BookPage.Entry(
                            tradeNo: refund.trade, requestId: refund.requestID, kind: "refund", amount: LinkAmount(refund.amount),
                            at: refund.at.microseconds / 1_000)
                        return (row: entry, place: BookPlace(.refund, at: refund.at, id: refund.id))
                    }
                })
            return BookPage(entries: page.rows, next: page.next?.description)
        }
    }
}

/// A page of the wallet's books of a day.
struct BookPage: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        var tradeNo: String
        /// The gateway's id of a refund, ours of a payment: both sides know it.
        var requestId: String
        var kind: String
        var amount: LinkAmount
        /// Milliseconds since 1970.
        var at: Int64
    }

    var entries: [Entry]
    /// The cursor of the next page, while there may be one.
    var next: String?
}
