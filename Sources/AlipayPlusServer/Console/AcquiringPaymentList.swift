import AlipayPlus
import BillfoldMoney
import BillfoldPayments
package import BillfoldServer
import BillfoldStorage

/// A page of an acquirer's payments, as programs read it.
package struct AcquiringPaymentList: Encodable, Sendable {
    package struct Line: Encodable, Sendable {
        var paymentId: String
        var paymentRequestId: String
        var referenceOrderId: String
        var scenario: String
        var state: String
        /// The wallet that collects it, or did; absent until one was chosen.
        var wallet: String?
        var amount: String
        var currency: String
        var refunded: String
        var createdAt: String
        var paidAt: String?
        var closedAt: String?

        init(_ payment: AcquirerPayment) {
            let amount = payment.terms.amount
            paymentId = payment.paymentID
            paymentRequestId = payment.requestID
            referenceOrderId = payment.terms.order.referenceOrderId
            scenario = payment.scenario.rawValue
            state = payment.state.rawValue
            wallet = payment.currentLeg?.wallet
            self.amount = amount.text
            currency = amount.currency.alphabeticCode
            refunded = Amount(minorUnits: payment.refunded.price, currency: amount.currency).text
            createdAt = payment.createdAt.rfc3339
            paidAt = payment.paidAt?.rfc3339
            closedAt = payment.closedAt?.rfc3339
        }
    }

    package var payments: [Line]
    /// The cursor of the page behind it; absent on the last one.
    package var next: String?

    package init(payments: [Line], next: String?) {
        self.payments = payments
        self.next = next
    }
}

extension AlipayPlusBackOffice {
    package func payments(of acquirer: String, _ wish: ListQuery<CollectionStanding.State>) async throws -> AcquiringPaymentList? {
        guard let acquirer = try? MerchantID(acquirer) else { return nil }
        let filter = try wish.filter()
        let found = try await context.database.read { tx -> [AcquirerPayment]? in
            guard try Self.acquirers(in: tx).contains(acquirer) else { return nil }
            guard let reference = wish.reference else {
                return try AcquirerPaymentRecords.list(filter, state: wish.state, acquirer: acquirer, in: tx)
            }
            let named = try AcquirerPaymentRecords.find(requestID: reference, acquirer: acquirer, in: tx).map { [$0] } ?? []
            return filter.part(of: named.filter { wish.state == nil || $0.state == wish.state }, by: \.place)
        }
        guard let found else { return nil }
        let page = wish.page.page(of: found, by: \.place.values)
        return AcquiringPaymentList(payments: page.items.map(AcquiringPaymentList.Line.init), next: page.next)
    }
}

extension AcquirerPayment {
    fileprivate var place: ListFilter.Place { ListFilter.Place(at: createdAt, id: id) }
}
