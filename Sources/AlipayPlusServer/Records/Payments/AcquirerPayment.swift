package import AlipayPlus
import BillfoldJSON
package import BillfoldMoney
package import BillfoldPayments
package import BillfoldStorage

/// A payment of an acquirer: what was asked, where it stands, and what each wallet was asked for it.
package struct AcquirerPayment: Sendable, Hashable {
    /// What was asked. It never changes.
    package struct Terms: Sendable, Hashable, Codable {
        package var amount: Amount
        package var order: WireOrder
        /// As registered with us; what people read.
        package var merchantName: String
        /// `CONNECT_WALLET`, or the one wallet that the merchant names.
        package var methodType: String
        package var settlementCurrency: Currency
        package var notifyURL: String?
        package var redirectURL: String?
        /// Orders the wallets on the sheet, the nearest first.
        package var userRegion: String?
        /// The regions that the wallet may be of; any where there are none.
        package var allowedRegions: [String]

        /// `referenceMerchantId`.
        package var merchantID: String { order.merchant?.referenceMerchantId ?? "" }
        /// The wallet that the merchant names; nil for any.
        package var onlyWallet: String? { methodType == PaymentMethodType.connectWallet.rawValue ? nil : methodType }
    }

    /// What goes with a leg of the payment.
    package struct LegDetail: Sendable, Hashable, Codable {
        package var customerID: String?
        /// What the wallet knows the leg by: see ``WalletRequests``. Legs of earlier versions have none of their own.
        var requestID: String?
        package var money: CollectionMoney
        /// The wallet's own number, once it has told it: `mppPaymentId`.
        package var walletPaymentID: String?
        /// The consent that an automatic debit is collected by.
        var authorization: TimeOrderedID?
        package var createdAt: Timestamp
    }

    /// What changes besides the state.
    struct Progress: Sendable, Hashable, Codable {
        var isClosing = false
        var failure: String?
        var refunded = CollectionMoney.Part.none
        var legs: [CollectionLeg] = []
        /// By the leg's id as text.
        var details: [String: LegDetail] = [:]
    }

    package var acquirer: MerchantID
    package var id: TimeOrderedID
    package var requestID: String
    /// Names it on the sheet and in its order code. Whoever has it may pay.
    package var reference: String
    package var scenario: PaymentScenario
    package var state: CollectionStanding.State
    package var version: Int64
    package var terms: Terms
    var progress: Progress
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var paidAt: Timestamp?
    /// When it failed or was cancelled.
    package var closedAt: Timestamp?
    var auditHead: AuditHead

    /// Our number of it towards the acquirer.
    package var paymentID: String { id.description }
    /// The chain of its audit rows.
    var auditChain: String { "alipay-plus-payment:\(id)" }

    var standing: CollectionStanding {
        get {
            CollectionStanding(
                state: state, isClosing: progress.isClosing, failure: progress.failure, amount: terms.amount.minorUnits,
                refunded: progress.refunded.price, legs: progress.legs)
        }
        set {
            state = newValue.state
            progress.isClosing = newValue.isClosing
            progress.failure = newValue.failure
            progress.legs = newValue.legs
        }
    }

    package var legs: [CollectionLeg] { progress.legs }
    package func detail(of leg: TimeOrderedID) -> LegDetail? { progress.details[leg.description] }
    /// Our request id towards the leg's wallet.
    package func walletRequestID(of leg: TimeOrderedID) -> String { detail(of: leg)?.requestID ?? leg.description }
    /// The leg that its wallet knows by a request id.
    func leg(requestedAs requestID: String) -> CollectionLeg? {
        legs.first { ExactText.equal(walletRequestID(of: $0.id), requestID) }
    }
    package var refunded: CollectionMoney.Part { progress.refunded }
    package var failure: String? { progress.failure }

    /// The leg that was collected by, also after the acquirer cancelled it: no wallet comes after it.
    package var settledLeg: CollectionLeg? { paidAt == nil ? nil : progress.legs.last }
    /// The amounts of the leg that was collected by.
    package var settledMoney: CollectionMoney? { settledLeg.flatMap { detail(of: $0.id)?.money } }

    /// The leg that the payer wants, or wanted last.
    package var currentLeg: CollectionLeg? { progress.legs.last }

    /// What became of it, in the protocol's words (alipay-plus.md#result-codes [D]). A cancelled payment is a failed one with its own code
    /// [I].
    package var result: AlipayPlusResult {
        switch state {
        case .processing: .paymentInProcess
        case .success: .success
        // A payment that fails with this code is one whose time was over.
        case .failed where failure == AlipayPlusResult.orderIsClosed.resultCode:
            .orderIsClosed.saying("the payment's time was over before it was paid")
        case .failed: ResultRefusal(code: failure ?? "PROCESS_FAIL").result
        case .cancelled: .orderIsClosed.saying("the payment was cancelled")
        }
    }
}
