// The rules of the other requests (alipay-plus.md#inquirypayment, alipay-plus.md#notification, alipay-plus.md#wallet-side [D]).

private func eitherMissing(_ requestID: String?, _ id: String?) -> [RequestViolation] {
    requestID == nil && id == nil ? [RequestViolation("paymentRequestId", "and paymentId are both missing")] : []
}

private func zero(_ member: String, _ amount: WireAmount) -> [RequestViolation] {
    amount.value == "0" ? [RequestViolation(member, "is zero")] : []
}

extension InquiryPaymentRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) }
}

extension CancelPaymentRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) }
}

extension RefundRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) + zero("refundAmount", refundAmount) }
}

extension WalletInquiryRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) }
}

extension WalletCancelRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) }
}

extension WalletRefundRequest {
    public var ownViolations: [RequestViolation] { eitherMissing(paymentRequestId, paymentId) + zero("refundAmount", refundAmount) }
}

extension WalletPayRequest {
    public var ownViolations: [RequestViolation] { zero("paymentAmount", paymentAmount) }
}

extension ApplyTokenRequest {
    /// The grant chooses which of the two goes with it.
    public var ownViolations: [RequestViolation] {
        switch grantType {
        case .authorizationCode: authCode == nil ? [.missing("authCode")] : []
        case .refreshToken: refreshToken == nil ? [.missing("refreshToken")] : []
        default: [RequestViolation("grantType", "is neither AUTHORIZATION_CODE nor REFRESH_TOKEN")]
        }
    }
}

extension PrepareRequest {
    public var ownViolations: [RequestViolation] { authRedirectUrl == nil ? [.missing("authRedirectUrl")] : [] }
}

extension NotifyPaymentRequest {
    /// Only final results are told, and a success says what was paid.
    public var ownViolations: [RequestViolation] {
        switch paymentResult.resultStatus {
        case .unknown: [RequestViolation("paymentResult.resultStatus", "is not final")]
        case .failure: []
        case .success:
            [
                ("pspId", pspId == nil), ("paymentId", paymentId == nil), ("paymentAmount", paymentAmount == nil),
                ("paymentTime", paymentTime == nil),
            ]
            .filter { $0.1 }.map { .missing($0.0) }
        }
    }
}

extension WalletNotifyPaymentRequest {
    /// Only final results are told, and a success has the wallet's number and the amount (alipay-plus.md#wallet-side [D]). `payToAmount` is
    /// asked for where the currencies differ, which only the payment knows.
    public var ownViolations: [RequestViolation] {
        switch paymentResult.resultStatus {
        case .unknown: [RequestViolation("paymentResult.resultStatus", "is not final")]
        case .failure: []
        case .success: [("paymentId", paymentId == nil), ("paymentAmount", paymentAmount == nil)].filter { $0.1 }.map { .missing($0.0) }
        }
    }
}

extension GetPaymentCodeRequest {
    public var ownViolations: [RequestViolation] {
        (1...10).contains(codeQuantity ?? 1) ? [] : [RequestViolation("codeQuantity", "is not 1 to 10")]
    }
}
