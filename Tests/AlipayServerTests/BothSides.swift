import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import WalletServer

@testable import AlipayServer

/// The real gateway and the real wallet, each on a store of its own, with a wire between them that a test breaks.
struct BothSides: Sendable {
    let gateway: OrderGatewayHarness
    let wallet: WalletSide
    let toGateway: LossyLink
    let toWallet: LossyLink

    static func open(
        _ engine: StoreEngine = .sqlite, faults: FaultyDatabase.Faults? = nil,
        _ body: @Sendable @escaping (BothSides) async throws -> Void
    ) async throws {
        try await OrderGatewayHarness.open(engine, faults: faults) { gateway in
            try await engine.withStore { store in
                let (toGateway, toWallet) = (LossyLink(), LossyLink())
                toGateway.connect(gateway.client)
                gateway.outside.connect(toWallet)
                try await WalletSide.open(
                    on: store, faults: faults, to: toGateway, clock: gateway.clock, recorder: gateway.recorder
                ) { wallet in
                    toWallet.connect(wallet.client)
                    try await body(BothSides(gateway: gateway, wallet: wallet, toGateway: toGateway, toWallet: toWallet))
                }
            }
        }
    }

    /// Has an order of 10.00 paid, as far as the wire lets it be. Returns the checkout and the trade's number.
    func pay(_ number: String, amount: String = "10.00", order: String? = nil) async throws -> (token: String, trade: String) {
        let text: String
        if let order { text = order } else { text = try await gateway.modernOrder(number, amount: amount) }
        let begun = try await wallet.begin(text)
        try await wallet.confirm(begun.token)
        return begun
    }

    func refund(_ trade: String, _ amount: String, _ request: String) async throws -> String? {
        try await gateway.modern(
            "alipay.trade.refund", #"{"trade_no":"\#(trade)","refund_amount":"\#(amount)","out_request_no":"\#(request)"}"#)["code"]?
            .string
    }

    func status(_ trade: String) async throws -> String? {
        try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(trade)"}"#)["trade_status"]?.string
    }

    /// Lets time pass, in steps, with both sides' workers at work.
    func pass(_ steps: Int = 8, of step: Duration = .seconds(120)) async throws {
        for _ in 0..<steps {
            gateway.clock.advance(by: step)
            while await wallet.work() > 0 {}
            try await gateway.work()
        }
    }

    struct Entry: Hashable, Decodable, CustomStringConvertible {
        struct Money: Hashable, Decodable { var value: String }
        var tradeNo: String
        var requestId: String
        var kind: String
        var amount: Money
        var description: String { "\(kind) \(amount.value) of \(tradeNo) by \(requestId)" }
    }
    private struct Page: Decodable {
        var entries: [Entry]
        var next: String?
    }

    /// One side's books of ten days, page by page.
    func books(_ client: any TestClientProtocol, _ path: String, _ key: String) async throws -> [Entry] {
        var entries: [Entry] = []
        for day in (21...30).map({ "2026-11-\($0)" }) {
            var cursor: String? = ""
            while let behind = cursor {
                let page = try await client.execute(
                    uri: "\(path)?day=\(day)\(behind)", method: .get, headers: [.authorization: "Bearer \(key)"]
                ) { answer in
                    #expect(answer.status == .ok)
                    return try JSONDecoder().decode(Page.self, from: Data(answer.body.readableBytesView))
                }
                entries += page.entries
                cursor = page.next.map { "&cursor=\($0)" }
            }
        }
        return entries
    }

    /// Compares both books line by line, what each side owes, and what the customer has. Returns the lines.
    ///
    /// - `broughtIn`: What the customer was given besides the balance at the start, in minor units.
    @discardableResult
    func expectEqualBooks(
        merchants: [String] = [OrderGatewayHarness.domestic], broughtIn: Int64 = 0, _ place: SourceLocation = #_sourceLocation
    ) async throws -> [Entry] {
        let ours = try await books(gateway.client, "/link/v1/books", OrderGatewayHarness.walletKey)
        let theirs = try await books(wallet.client, "/wallet/link/v1/books", OrderGatewayHarness.gatewayKey)
        #expect(Set(ours).symmetricDifference(theirs).map(\.description).sorted() == [], sourceLocation: place)
        #expect(ours.count == Set(ours).count && theirs.count == Set(theirs).count, sourceLocation: place)
        #expect(
            Set(ours.filter { $0.kind == "payment" }.map(\.tradeNo)).count == ours.count { $0.kind == "payment" }, sourceLocation: place)
        var sum: Int64 = 0
        for entry in ours {
            let amount = try Amount(entry.amount.value, currency: .cny).minorUnits
            sum += entry.kind == "payment" ? amount : -amount
        }
        var owed: Int64 = 0
        for merchant in merchants {
            owed += try Amount(try await gateway.balance(merchant)["wallet:ALIPAY_CN CNY"] ?? "0.00", currency: .cny).minorUnits
        }
        #expect(owed == sum, sourceLocation: place)
        #expect(try await wallet.owed() == sum, sourceLocation: place)
        #expect(try await wallet.balance() == WalletSide.customer.balance + broughtIn - sum, sourceLocation: place)
        #expect(try await wallet.waiting() == 0, sourceLocation: place)
        return ours
    }
}
