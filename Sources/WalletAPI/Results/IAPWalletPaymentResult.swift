import BillfoldConcurrency
public import Foundation

/// What `pay` is asked: exactly one of an order's number, an order string, or a payment's address (mini-programs.md#paymentservice [D]).
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletPaymentRequest: NSObject, Sendable {
    /// The number that the wallet gave the order; at most 64 characters.
    public let tradeNO: String?
    /// An order, signed by the merchant.
    public let orderStr: String?
    /// A page of the wallet's cashier.
    public let paymentUrl: String?
    public let extendedInfo: [String: String]

    public init(tradeNO: String? = nil, orderStr: String? = nil, paymentUrl: String? = nil, extendedInfo: [String: String] = [:]) {
        self.tradeNO = tradeNO
        self.orderStr = orderStr
        self.paymentUrl = paymentUrl
        self.extendedInfo = extendedInfo
    }

    /// Names what is there, and shows none of it.
    public override var description: String {
        let given = [("tradeNO", tradeNO), ("orderStr", orderStr), ("paymentUrl", paymentUrl)].compactMap { $0.1 == nil ? nil : $0.0 }
        return "payment by \(given.isEmpty ? "nothing" : given.joined(separator: " and "))"
    }
}

/// How a payment ended, as far as the app knows. A hint: the merchant's server knows by notification or inquiry
/// (mini-programs.md#paymentservice).
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletPaymentResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private let answer = Locked<(code: String, message: String?)>(("", nil))

    /// Makes a result that the service fills afterwards. Left empty it is an unknown end.
    public override init() { super.init() }

    /// Makes a result with one of ``PaymentEnding``'s codes.
    public convenience init(resultCode: String, resultMessage: String? = nil) {
        self.init()
        answer.withLock { $0 = (resultCode, resultMessage) }
    }

    /// Makes a result with one of ``PaymentEnding``'s codes, without labels.
    public convenience init(_ resultCode: String, _ resultMessage: String? = nil) {
        self.init(resultCode: resultCode, resultMessage: resultMessage)
    }

    /// One of ``PaymentEnding``'s codes; empty where an error was set instead.
    public var resultCode: String {
        get { answer.withLock { $0.code } }
        set { answer.withLock { $0.code = newValue } }
    }

    public var resultMessage: String? {
        get { answer.withLock { $0.message } }
        set { answer.withLock { $0.message = newValue } }
    }

    /// What the mini program may be told: the result's code, or what an error of the service means for the money.
    ///
    /// A code that nobody documented, and neither code nor error, are ``PaymentEnding/unknown``: money may have moved.
    public var ending: PaymentEnding {
        if let failure { return PaymentEnding(failure.code) }
        return PaymentEnding(rawValue: resultCode) ?? .unknown
    }
}

/// The documented codes of a payment's end as the client sees it (mini-programs.md#tradepay).
public enum PaymentEnding: String, Sendable, CaseIterable {
    /// Paid, says the wallet.
    case paid = "9000"
    /// Being processed: its end is not known yet.
    case processing = "8000"
    /// Failed: no money moved.
    case failed = "4000"
    /// The person cancelled before paying.
    case cancelled = "6001"
    /// No network, and nobody can tell at which moment: the payment may exist all the same (mini-programs.md#tradepay [D]). Ask.
    case networkError = "6002"
    /// Sent, and no answer: it may have succeeded. Query, never pay again as new.
    case unknown = "6004"
    /// Left through "forgot password" (iOS, China).
    case leftForPassword = "99"

    /// Whether nothing has to be asked any more. ``paid`` too is believed only by the merchant's server.
    public var isSettled: Bool { self != .processing && self != .unknown && self != .networkError }

    /// What a service's error means for the money. Not published [I]: a time-out and an unknown error are unknown ends, never failures.
    public init(_ code: IAPWalletErrorCode) {
        switch code {
        case .userCancel: self = .cancelled
        case .appServiceError, .systemError, .authPendingAgreement: self = .failed
        case .timeout, .unknownError: self = .unknown
        }
    }
}
