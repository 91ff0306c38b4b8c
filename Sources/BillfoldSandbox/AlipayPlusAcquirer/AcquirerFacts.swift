import AlipayPlus

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
            answer.paymentId, answer.pspId, answer.walletBrandName, answer.mppPaymentId, answer.settlementAmount, answer.paymentTime)
    }

    init(_ answer: InquiryPaymentAnswer) {
        self.init(
            answer.paymentId, answer.pspId, answer.walletBrandName, answer.mppPaymentId, answer.settlementAmount, answer.paymentTime)
    }

    init(_ message: NotifyPaymentRequest) {
        self.init(
            message.paymentId, message.pspId, message.walletBrandName, message.mppPaymentId, message.settlementAmount,
            message.paymentTime)
    }

    private init(
        _ number: String?, _ pspID: String?, _ wallet: String?, _ walletNumber: String?, _ settlement: WireAmount?,
        _ paidAt: AlipayPlusTime?
    ) {
        (self.number, self.pspID, self.wallet, self.walletNumber) = (number, pspID, wallet, walletNumber)
        (self.settlement, self.paidAt) = (settlement, paidAt?.millisecondsSince1970)
    }
}
