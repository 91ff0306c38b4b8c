import BillfoldMoney
import BillfoldStorage
import Foundation
import HTTPTypes
import Hummingbird

/// A wallet's control interface, `/wallets/{wallet}/control`, for tests and for whoever compares books.
///
/// - `GET state` → `{"type","registered","disbelieved"}`
/// - `GET books` → `{"payments":[…],"accounts":{…},"balanced"}`
/// - `PUT faults/orders/{order}` `{"fault"}`: of one order's payment; `PUT` and `DELETE faults/seed` `{"seed"}`: of all
struct MobileWalletControl: Sendable {
    let service: MobileWalletService

    private struct State: Encodable {
        var type: String
        var registered: Bool
        /// How many messages between the wallet and the gateway one of them did not believe.
        var disbelieved: Int
    }

    /// One line of what the wallet and Alipay+ believe of each other.
    struct Entry: Codable, Sendable {
        /// `paymentRequestId` on the wallet's leg.
        var request: String
        /// The wallet's own number: `mppPaymentId`.
        var number: String
        /// The merchant's number of the order.
        var order: String
        var kind: String
        /// The wallet's own number of a refund.
        var refund: String?
        /// What the wallet owes Alipay+ for it, or gets back.
        var amount: Amount
        /// What its customer paid, or got back.
        var customer: Amount
        /// Milliseconds since 1970.
        var at: Int64
    }

    private struct Books: Encodable {
        var entries: [Entry]
        var accounts: [String: Amount]
        /// Whether every account is what its entries come to.
        var balanced: Bool
    }

    private struct Wish: StrictBody {
        static let members = ["fault"]
        var fault: MobileWalletFault
    }

    private struct Seed: StrictBody {
        static let members = ["seed"]
        var seed: UInt64
    }

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let control = router.group(RouterPath("/wallets/\(service.profile.slug)/control")).add(middleware: SandboxErrors())
        control.get("state") { _, _ in
            let registration = service.line.registration
            return try SandboxBody.json(
                State(
                    type: service.profile.type, registered: await registration.isRegistered, disbelieved: await registration.disbelieved))
        }
        control.get("books") { _, _ in try SandboxBody.json(await books()) }
        control.put("faults/orders/{order}") { request, context in
            let wish = try await PartyRequest(request).decode(Wish.self)
            try await service.plan(wish.fault, for: "order:\(context.parameters.get("order") ?? "")")
            return Response(status: .noContent)
        }
        control.put("faults/seed") { request, _ in
            let seed = try await PartyRequest(request).decode(Seed.self).seed
            try await service.database.write { try PartyRecords.put(MobileFaultWish(id: "seed", seed: seed), in: $0) }
            return Response(status: .noContent)
        }
        control.delete("faults/seed") { _, _ in
            try await service.plan(nil, for: "seed")
            return Response(status: .noContent)
        }
    }

    private func books() async throws -> Books {
        try await service.database.read { tx in
            let totals = try MobileBooks.totals(in: tx)
            let accounts = Dictionary(
                try PartyRecords.all(MobileBooks.Account.self, in: tx).map { ($0.id, $0.balance) }, uniquingKeysWith: { first, _ in first })
            let payments = try PartyRecords.all(MobilePayment.self, in: tx)
            return Books(
                entries: payments.flatMap(Self.entries), accounts: accounts,
                balanced: accounts == totals && totals.values.reduce(0) { $0 + $1.minorUnits } == 0)
        }
    }

    /// What is left of a payment in the books: nothing of one that was cancelled.
    static func entries(_ payment: MobilePayment) -> [Entry] {
        guard payment.state == .paid, let paidAt = payment.paidAt else { return [] }
        let currency = payment.payable.currency
        func entry(_ kind: String, refund: String?, owed: Int64, customer: Int64, at: Int64) -> Entry {
            Entry(
                request: payment.id, number: payment.number, order: payment.order, kind: kind, refund: refund,
                amount: Amount(minorUnits: owed, currency: currency), customer: Amount(minorUnits: customer, currency: currency), at: at)
        }
        return [entry("payment", refund: nil, owed: payment.owed, customer: payment.collected.minorUnits, at: paidAt)]
            + payment.refunds.map { entry("refund", refund: $0.number, owed: $0.units, customer: $0.toCustomer, at: $0.at) }
    }
}
