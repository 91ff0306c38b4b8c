public import AlipayPlus
import BillfoldJSON
public import BillfoldMoney
public import BillfoldPayments
public import BillfoldStorage

/// A payment of an acquirer: what was asked, where it stands, and what each wallet was asked for it.
public struct AcquirerPayment: Sendable, Hashable {
    /// What was asked. It never changes.
    public struct Terms: Sendable, Hashable, Codable {
        public var amount: Amount
        public var order: WireOrder
        /// As registered with us; what people read.
        public var merchantName: String
        /// `CONNECT_WALLET`, or the one wallet that the merchant names.
        public var methodType: String
        public var settlementCurrency: Currency
        public var notifyURL: String?
        public var redirectURL: String?
        /// Orders the wallets on the sheet, the nearest first.
        public var userRegion: String?
        /// The regions that the wallet may be of; any where there are none.
        public var allowedRegions: [String]

        /// `referenceMerchantId`.
        public var merchantID: String { order.merchant?.referenceMerchantId ?? "" }
        /// The wallet that the merchant names; nil for any.
        public var onlyWallet: String? { methodType == PaymentMethodType.connectWallet.rawValue ? nil : methodType }
    }

    /// What goes with a leg of the payment.
    public struct LegDetail: Sendable, Hashable, Codable {
        public var customerID: String?
        /// What the wallet knows the leg by: see ``WalletRequests``. Legs of earlier versions have none of their own.
        var requestID: String?
        public var money: CollectionMoney
        /// The wallet's own number, once it has told it: `mppPaymentId`.
        public var walletPaymentID: String?
        /// The consent that an automatic debit is collected by.
        var authorization: TimeOrderedID?
        public var createdAt: Timestamp
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

    public var acquirer: MerchantID
    public var id: TimeOrderedID
    public var requestID: String
    /// Names it on the sheet and in its order code. Whoever has it may pay.
    public var reference: String
    public var scenario: PaymentScenario
    public var state: CollectionStanding.State
    public var version: Int64
    public var terms: Terms
    var progress: Progress
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var paidAt: Timestamp?
    /// When it failed or was cancelled.
    public var closedAt: Timestamp?
    var auditHead: AuditHead

    /// Our number of it towards the acquirer.
    public var paymentID: String { id.description }
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

    public var legs: [CollectionLeg] { progress.legs }
    public func detail(of leg: TimeOrderedID) -> LegDetail? { progress.details[leg.description] }
    /// Our request id towards the leg's wallet.
    public func walletRequestID(of leg: TimeOrderedID) -> String { detail(of: leg)?.requestID ?? leg.description }
    /// The leg that its wallet knows by a request id.
    func leg(requestedAs requestID: String) -> CollectionLeg? {
        legs.first { ExactText.equal(walletRequestID(of: $0.id), requestID) }
    }
    public var refunded: CollectionMoney.Part { progress.refunded }
    public var failure: String? { progress.failure }

    /// The leg that was collected by, also after the acquirer cancelled it: no wallet comes after it.
    public var settledLeg: CollectionLeg? { paidAt == nil ? nil : progress.legs.last }

    /// The leg that the payer wants, or wanted last.
    public var currentLeg: CollectionLeg? { progress.legs.last }

    /// What became of it, in the protocol's words (alipay-plus.md#result-codes [D]). A cancelled payment is a failed one with its own code
    /// [I].
    public var result: AlipayPlusResult {
        switch state {
        case .processing: .paymentInProcess
        case .success: .success
        case .failed: ResultRefusal(code: failure ?? "PROCESS_FAIL").result
        case .cancelled: .orderIsClosed.saying("the payment was cancelled")
        }
    }
}
