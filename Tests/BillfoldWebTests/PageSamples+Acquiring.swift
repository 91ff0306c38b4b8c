import AlipayPlusServer
import BillfoldWeb

/// The acquiring gateway's pages with one value in every field.
extension PageSamples {
    static func acquiringOverview(all value: String) -> AcquiringOverview {
        AcquiringOverview(
            payments: [acquiringPayment(value)],
            alarms: [.retry, .clear].map {
                .init(paymentID: value, acquirer: value, subject: value, kind: value, note: value, raisedAt: 0, step: $0)
            }, parked: [notification(value, state: "parked")], number: value)
    }

    static func acquiringPayment(all value: String) -> AcquiringPaymentView {
        AcquiringPaymentView(
            payment: acquiringPayment(value), identifiers: [.init(name: value, giver: value, value: value)], failure: value,
            settlement: value, expiresAt: 0, paidAt: 0,
            legs: [.init(wallet: value, state: value, requestID: value, walletPaymentID: value, payable: value, at: 0)],
            refunds: [.init(requestID: value, refundID: value, amount: value, state: value, failure: value, at: 0)],
            choices: [.init(wallet: value, name: value, payable: value, offer: value, obstacles: [value])],
            notifications: [notification(value, state: "settled")],
            postings: [.init(template: value, account: value, amount: value, at: 0)])
    }

    private static func acquiringPayment(_ value: String) -> AcquiringOverview.Payment {
        .init(
            paymentID: value, requestID: value, acquirer: value, merchantName: value, scenario: value, amount: value, refunded: value,
            state: value, wallet: value, madeAt: 0, space: .init(name: value, now: 1_000_000, everybodys: 0))
    }
}
