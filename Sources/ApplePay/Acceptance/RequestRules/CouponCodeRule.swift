public import BillfoldDiagnosis

/// A coupon code is shown only where coupon codes are supported (iOS 15 and later). [D]
public struct CouponCodeRule: RequestRule {
    public static let codes = ["apple-pay.request.coupon-not-supported"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard let coupon = request.couponCode, !coupon.isEmpty, !request.supportsCouponCode else { return [] }
        return [
            Finding(
                code: Self.codes[0], severity: .warning, subject: subject, cause: "couponCode is set and supportsCouponCode is not.",
                evidence: [.init("supportsCouponCode", "false")], mend: "Set supportsCouponCode, or leave couponCode out.")
        ]
    }
}
