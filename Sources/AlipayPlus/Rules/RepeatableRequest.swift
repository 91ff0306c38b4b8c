import BillfoldJSON

/// A request that has one effect however often it comes (alipay-plus.md#idempotency [D]).
///
/// An equal repeat gets the stored outcome, of `pay` the payment's progress; one with other compared values is
/// `REPEAT_REQ_INCONSISTENT`. Keys stay reserved without end.
public protocol RepeatableRequest: AlipayPlusRequest {
    /// The member that names the effect.
    var idempotencyKey: String { get }
    /// What must be equal in a repeat. Amounts are compared by their worth's text, members that are not listed do not count.
    var comparedValues: [String] { get }
}

extension WireAmount {
    fileprivate var compared: String { "\(currency) \(value)" }
}

extension PayRequest: RepeatableRequest {
    public var idempotencyKey: String { paymentRequestId }
    public var comparedValues: [String] {
        [paymentAmount.compared, paymentMethod.paymentMethodType.rawValue, order.orderAmount.compared]
    }
}

extension RefundRequest: RepeatableRequest {
    public var idempotencyKey: String { refundRequestId }
    public var comparedValues: [String] { [refundAmount.compared, paymentRequestId ?? "", paymentId ?? ""] }
}

extension WalletPayRequest: RepeatableRequest {
    public var idempotencyKey: String { paymentRequestId }
    public var comparedValues: [String] { [paymentAmount.compared, order.orderAmount.compared, payToAmount?.compared ?? ""] }
}

extension WalletRefundRequest: RepeatableRequest {
    public var idempotencyKey: String { refundRequestId }
    public var comparedValues: [String] { [refundAmount.compared, paymentRequestId ?? "", paymentId ?? ""] }
}

extension PrepareRequest: RepeatableRequest {
    public var idempotencyKey: String { "\(authClientId) \(referenceAgreementId ?? "")" }
    /// Everything else.
    public var comparedValues: [String] { [json.text] }
}

extension CancelTokenRequest: RepeatableRequest {
    public var idempotencyKey: String { accessToken }
    public var comparedValues: [String] { [] }
}

extension UserInitiatedPayRequest: RepeatableRequest {
    public var idempotencyKey: String { codeValue }
    public var comparedValues: [String] { [] }
}
