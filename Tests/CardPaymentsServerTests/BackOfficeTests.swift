import BillfoldMoney
import BillfoldPayments
import BillfoldWeb
import CardPaymentsServer
import Testing
import UnionPay

/// What operators see is what the books hold.
struct BackOfficeTests {
    private func office(_ shop: Shop) throws -> CardPaymentsBackOffice {
        CardPaymentsBackOffice(
            database: shop.database, merchants: [try BillfoldPayments.MerchantID("other"), BillfoldPayments.MerchantID("shop")],
            clock: shop.clock)
    }

    @Test func anOrderIsThereBeforeItIsPaid() async throws {
        try await Shop.open { shop in
            let placed = try await shop.place()
            let order = try #require(try await office(shop).order(placed.id))
            #expect(order.state == "open" && order.reference == "A-1" && order.total.text == placed.total)
            #expect(order.items.map(\.label).contains("Song") && order.payments.isEmpty && order.postings.isEmpty)
            #expect(try await office(shop).order("nothing") == nil)
            #expect(try await office(shop).order(String(repeating: "0", count: 32)) == nil)
        }
    }

    @Test func anOrderShowsItsPaymentRefundsAndBooks() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let placed = try await shop.place()
            let id = try await shop.pay(placed).paymentID
            #expect(try await office(shop).order(placed.id)?.payments.first?.refundable == nil)
            _ = try await shop.notify(about: .consume)
            _ = try await shop.send(
                .post, "/v1/payments/\(id)/refunds", Array(#"{"amount":"3.00","reason":"late"}"#.utf8), bearer: Shop.apiKey, key: "r-1")
            _ = try await shop.notify(about: .refund)
            let order = try #require(try await office(shop).order(placed.id))
            #expect(order.state == "paid")
            let payment = try #require(order.payments.first)
            #expect(payment.state == "partlyRefunded" && payment.amount.text == "33.00" && payment.refundable?.text == "30.00")
            #expect(!"\(order)".contains(Shop.cardNumber) && payment.account.hasSuffix(String(Shop.cardNumber.suffix(4))))
            #expect(payment.evidence?.contains("query id") == true)
            #expect(order.refunds.map(\.amount.text) == ["3.00"] && order.refunds.first?.reason.hasPrefix("refund") == true)
            #expect(
                order.postings.map { "\($0.occasion) \($0.side.rawValue) \($0.account) \($0.amount.text)" } == [
                    "capture debit receivable:unionpay 33.00", "capture credit sales 33.00",
                    "refund debit refunds 3.00", "refund credit receivable:unionpay 3.00",
                ])
        }
    }

    @Test func theAcquirerIsToldWhichOrderAPaymentBelongsTo() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let placed = try await shop.place()
            _ = try await shop.pay(placed)
            #expect(shop.acquirer.received(.consume).map { $0["reqReserved"] } == [placed.id])
        }
    }
}
