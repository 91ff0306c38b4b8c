import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Testing

@testable import AlipayPlusServer

/// What operators see of payments, and what they can do.
struct BackOfficeTests {
    @Test(arguments: StoreEngine.available) func aPaymentIsFoundUnderEveryPartysNumber(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let payment = try await gateway.paid("p-1")
            try await gateway.paid("p-2")
            _ = try await gateway.acquirer(
                RefundRequest(
                    paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "100")))
            let office = gateway.server.backOffice
            let leg = try #require(payment.legs.last)
            let refund = try #require(
                try await gateway.store.database.read {
                    try AcquirerRefundRecords.find(requestID: "r-1", acquirer: payment.acquirer, in: $0)
                })
            let numbers = [
                "p-1", payment.paymentID, "order-p-1", payment.walletRequestID(of: leg.id), "r-1", refund.id.description,
                try #require(payment.detail(of: leg.id)?.walletPaymentID),
            ]
            for number in numbers { #expect(try await office.overview(number).payments.map(\.requestID) == ["p-1"], "\(number)") }
            #expect(try await office.overview("nobody").payments.isEmpty)
            #expect(try await office.overview(nil).payments.map(\.requestID).sorted() == ["p-1", "p-2"])
            let view = try #require(try await office.payment(payment.paymentID))
            #expect(Set(view.identifiers.map(\.value)).isSuperset(of: numbers))
            #expect(view.refunds.map(\.amount) == ["1.00 SGD"] && view.legs.map(\.state) == ["paid"] && !view.postings.isEmpty)
            #expect(try await office.payment("nobody") == nil)
            let page = try AcquiringPaymentPage(view: view).html()
            #expect(page.contains("order-p-1") && page.contains("Why is this wallet missing?"))
        }
    }

    @Test(arguments: StoreEngine.available) func anAcquirersPaymentsAreListed(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let acquirer = try await gateway.paid("p-1").acquirer.description
            for number in 2...3 {
                gateway.clock.advance(by: .seconds(60))
                try await gateway.paid("p-\(number)")
            }
            gateway.clock.advance(by: .seconds(60))
            _ = try await gateway.acquirer(gateway.payRequest("p-4"))
            let office = gateway.server.backOffice
            func page(_ filter: [String: String], limit: String = "50", cursor: String? = nil) async throws -> AcquiringPaymentList {
                let query = try PageQuery(list: "p", keys: [.integer, .blob], filter: filter, limit: limit, cursor: cursor)
                return try #require(try await office.payments(of: acquirer, ListQuery(page: query, filter: filter)))
            }
            #expect(try await page([:]).payments.map(\.paymentRequestId) == ["p-4", "p-3", "p-2", "p-1"])
            let first = try await page(["state": "success"], limit: "2")
            #expect(first.payments.map(\.paymentRequestId) == ["p-3", "p-2"])
            #expect(first.next != nil)
            let second = try await page(["state": "success"], limit: "2", cursor: first.next)
            #expect(second.payments.map(\.paymentRequestId) == ["p-1"] && second.next == nil)
            #expect(try await page(["state": "processing"]).payments.map(\.paymentRequestId) == ["p-4"])
            #expect(try await page(["reference": "p-2"]).payments.map(\.referenceOrderId) == ["order-p-2"])
            #expect(try await page(["reference": "p-2", "state": "failed"]).payments.isEmpty)
            let query = try ListQuery<CollectionStanding.State>(page: PageQuery(list: "p", keys: [.integer, .blob]), filter: [:])
            #expect(try await office.payments(of: "nobody", query) == nil)
        }
    }

    @Test func aMissingWalletIsExplained() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.allowedPspRegions = ["PH", "KR"]
            _ = try await gateway.acquirer(request)
            let id = try await gateway.payment("p-1").paymentID
            let choices = try #require(try await gateway.server.backOffice.payment(id)).choices
            #expect(choices.filter { $0.obstacles.isEmpty }.map(\.wallet).sorted() == ["GCASH", "KAKAOPAY"])
            #expect(choices.first { $0.wallet == "DANA" }?.obstacles == [WalletObstacle.region.reason])
            let page = try AcquiringPaymentPage(view: try #require(try await gateway.server.backOffice.payment(id))).html()
            #expect(page.contains("allowedPspRegions leaves this wallet&#39;s region out."))
        }
    }

    @Test func aNotificationIsSentAgain() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.acknowledge(false)
            let payment = try await gateway.paid("p-1")
            try await gateway.pass(.seconds(40 * 3_600), step: .seconds(1_800))
            let office = gateway.server.backOffice
            let parked = try #require(try await office.overview(nil).parked.first)
            #expect(parked.tradeNo == payment.paymentID && parked.attempts.count == AlipayPlusSchedule.notification.count)
            gateway.outside.acknowledge(true)
            let (id, acquirer) = (parked.id, parked.merchant)
            #expect(try await office.replay(id, of: acquirer, because: "their server is back", by: "lin"))
            #expect(try await !office.replay(id, of: acquirer, because: "it is under way", by: "lin"))
            try await gateway.work()
            #expect(try await office.overview(nil).parked.isEmpty)
            let told = try #require(try await office.payment(payment.paymentID)).notifications
            #expect(told.map(\.state.word) == ["delivered"])
            // What was settled can be told once more.
            let before = gateway.outside.told.count
            #expect(try await office.replay(id, of: acquirer, because: "they lost it", by: "lin"))
            try await gateway.work()
            #expect(gateway.outside.told.count == before + 1)
            #expect(try await !office.replay("nothing", of: acquirer, because: "x", by: "lin"))
            #expect(try AcquiringPage(overview: try await office.overview(nil)).html().contains("p-1"))
        }
    }
}
