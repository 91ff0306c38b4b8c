import AlipayPlus
import AlipayPlusValues

/// What was told of a consent.
struct AcquirerConsentNote: PartyDocument {
    static let kind = "acquirer.consent"
    var id: String
    var type: String
    var authState: String?
    /// Milliseconds since 1970.
    var at: Int64
}

/// What an answer, an inquiry and a notification have in common.
struct AcquirerFacts: Sendable {
    var number: String?
    var pspID: String?
    var wallet: String?
    var walletNumber: String?
    var settlement: WireAmount?
    var paidAt: Int64?

    init(_ answer: PayAnswer) {
        self.init(
            number: answer.paymentId, pspID: answer.pspId, wallet: answer.walletBrandName, walletNumber: answer.mppPaymentId,
            settlement: answer.settlementAmount, paidAt: answer.paymentTime)
    }

    init(_ answer: InquiryPaymentAnswer) {
        self.init(
            number: answer.paymentId, pspID: answer.pspId, wallet: answer.walletBrandName, walletNumber: answer.mppPaymentId,
            settlement: answer.settlementAmount, paidAt: answer.paymentTime)
    }

    init(_ message: NotifyPaymentRequest) {
        self.init(
            number: message.paymentId, pspID: message.pspId, wallet: message.walletBrandName, walletNumber: message.mppPaymentId,
            settlement: message.settlementAmount, paidAt: message.paymentTime)
    }

    private init(
        number: String?, pspID: String?, wallet: String?, walletNumber: String?, settlement: WireAmount?, paidAt: AlipayPlusTime?
    ) {
        (self.number, self.pspID, self.wallet, self.walletNumber) = (number, pspID, wallet, walletNumber)
        (self.settlement, self.paidAt) = (settlement, paidAt?.millisecondsSince1970)
    }
}
