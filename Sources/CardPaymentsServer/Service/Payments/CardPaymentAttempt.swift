import ApplePay
import BillfoldPayments
import BillfoldStorage
import Foundation

/// A request to pay an order: what is asked, for whom, under which key, and until when its sheet waits.
struct CardPaymentAttempt: Sendable {
    let order: Order
    let body: PaymentRequestBody
    let merchant: MerchantProfile
    let key: IdempotencyKey
    let deadline: ContinuousClock.Instant

    /// How it is told that this attempt used its token for a payment.
    func use(for payment: TimeOrderedID) -> CardPaymentsRecords.UsedToken {
        CardPaymentsRecords.UsedToken(payment: payment, order: order.id, fingerprint: body.fingerprint.bytes)
    }
}

extension CardPaymentsRecords.UsedToken {
    /// Whether it was this very request that used the token.
    func wasBy(_ body: PaymentRequestBody, for order: Order) -> Bool {
        self.order == order.id && fingerprint == body.fingerprint.bytes
    }
}

/// The payment that an accepted token begins.
struct PaymentIntent: Sendable {
    var token: VerifiedToken
    var payload: PaymentPayload
    var quote: OrderPricing.Quote
    var id: TimeOrderedID

    /// The token's number at the wallet.
    var transaction: String { token.token.transactionIdentifier }
}

extension VerifiedToken {
    /// When the wallet's servers signed it, in whole seconds.
    var signedAt: Timestamp { Timestamp(secondsSince1970: Int64(signingTime.timeIntervalSince1970)) }
}
