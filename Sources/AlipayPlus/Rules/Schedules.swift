public import AlipayPlusValues

/// When what is sent again, and until when what may be done: data that an operator may replace (alipay-plus.md#polling).
public enum AlipayPlusSchedule {
    /// Seconds from one delivery of a notification to the next, the first at once (alipay-plus.md#deliveries [I]).
    public static let notification: [Int64] = [0, 120, 600, 600, 3_600, 7_200, 21_600, 54_000]
    /// Seconds in which a notification must be acknowledged.
    public static let acknowledgement: Int64 = 5
    /// Seconds between the inquiries of a shown code's payment [O]; then it is cancelled.
    public static let inStoreInquiry: [Int64] = [2, 3, 3, 5, 5, 5, 5, 5, 5]
    /// Seconds between the attempts to cancel [O].
    public static let inStoreCancel: [Int64] = [2, 3, 3, 5, 5]
    /// Seconds between the inquiries of an automatic debit, twenty of them; then it is cancelled.
    public static let automaticDebitInquiry: [Int64] = Array(repeating: 3, count: 20)
    /// Seconds for which a payment may wait when it names no expiry (alipay-plus.md#expiry [I]).
    public static let paymentLifetime: Int64 = 14 * 60
    /// Seconds that a payment code lives.
    public static let codeLifetime: Int64 = 60
    /// The recommended time-out of `pay`, `refund`, `cancelPayment` and `userInitiatedPay`, in seconds; of all others ``shortTimeout``.
    public static let longTimeout: Int64 = 8
    public static let shortTimeout: Int64 = 5
}

extension AlipayPlusTime {
    /// Until when a payment of this moment may be cancelled: 00:15 in UTC+8 of the next day. Later it is `CANCEL_WINDOW_EXCEED`.
    public var cancelDeadline: AlipayPlusTime { startOfDay.adding(seconds: 86_400 + 15 * 60) }
    /// Until when a payment of this moment may be refunded: 365 days later.
    public var refundDeadline: AlipayPlusTime { adding(seconds: 365 * 86_400) }
}
