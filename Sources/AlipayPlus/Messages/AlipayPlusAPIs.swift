/// The APIs that are spoken here.
public enum AlipayPlusAPIs {
    /// Those that an acquirer calls.
    public static let acquirer: [any AlipayPlusRequest.Type] = [
        ConsultPaymentRequest.self, PayRequest.self, InquiryPaymentRequest.self, CancelPaymentRequest.self, RefundRequest.self,
        PrepareRequest.self, ApplyTokenRequest.self, CancelTokenRequest.self,
    ]
    /// Those that a wallet calls.
    public static let wallet: [any AlipayPlusRequest.Type] = [
        GetPaymentCodeRequest.self, WalletUserInitiatedPayRequest.self, WalletNotifyPaymentRequest.self, InquiryCodeRulesRequest.self,
        InquireQuoteRequest.self,
    ]
    /// The paths of all of them on Alipay+.
    public static let paths: [String] = (acquirer + wallet).map { $0.path }
}
