public import Alipay

/// How a payment ended, and what the app may now promise the customer.
public enum PaymentOutcome: Sendable, Hashable {
    /// The merchant's server says that the money is there: promise the goods.
    case succeeded(ConfirmedPayment)
    /// The customer came back without paying, as far as the wallet and the server know. Show the order again, and do not close it
    /// blindly: the wallet's word is not signed, and a late payment is reported to ``PaymentClient/standby``.
    case cancelled
    /// Not paid. The server said so, or the wallet did where the app has no server to ask. The customer may try again.
    case failed(AlipayResultStatus)
    /// Nobody knows yet. Say "being confirmed", never "failed"; ``PaymentClient/recover()`` asks again.
    case undecided
}

/// A payment that the merchant's server confirmed.
public struct ConfirmedPayment: Sendable, Hashable {
    public var orderNumber: String
    /// Whether the result that came back to the phone was verified and is of this order. False where the server's word came first,
    /// or stands alone.
    public var resultIsVerified: Bool

    public init(orderNumber: String, resultIsVerified: Bool) {
        self.orderNumber = orderNumber
        self.resultIsVerified = resultIsVerified
    }
}

/// The end of one payment, or the news that it has none yet.
public struct PaymentReport: Sendable, Hashable {
    public var orderNumber: String
    public var outcome: PaymentOutcome
    /// What the wallet or the cashier said; nil where nothing came back, or where it says "paid" without a proof.
    public var reply: PaymentResult?
    /// The code that the documented dictionary carries: the wallet's own, except where it was not proven or the server knew better.
    public var status: AlipayResultStatus

    /// The dictionary of the documented callback: `resultStatus`, `result`, `memo`, all text. `result` is empty unless the
    /// wallet's text fits `resultStatus`. The status stands there as `ResultStatus` too, as apps of old SDKs read it [O].
    public var dictionary: [String: String] {
        let isWalletsWord = reply?.status == status
        return [
            "resultStatus": status.rawValue, "ResultStatus": status.rawValue, "result": isWalletsWord ? reply?.result ?? "" : "",
            "memo": reply?.memo ?? "",
        ]
    }
}
