public import Foundation

/// The document names its calls in two ways, in signatures and in samples. Both work, and so do the names under which Swift imports the
/// real header's selectors.
extension AlipayPlusClient {
    /// As ``inquirePaymentOption(_:completionHandler:)``.
    #if canImport(ObjectiveC)
        @objc(inquirePaymentOptionWithParams:completionHandler:)
    #endif
    public func inquirePaymentOptionWithParams(_ params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        inquirePaymentOption(params, completionHandler: completionHandler)
    }

    /// As ``inquirePaymentOption(_:)``.
    public func inquirePaymentOptionWithParams(_ params: IAPInquirePaymentOptionParams) async throws(IAPError) -> IAPPaymentOption {
        try await inquirePaymentOption(params)
    }

    /// As ``showPaymentSheet(_:callback:)``.
    #if canImport(ObjectiveC)
        @objc(showPaymentSheetWithData:callback:)
    #endif
    public func showPaymentSheetWithData(_ paymentData: String, callback: @escaping SheetCallback) {
        showPaymentSheet(paymentData, callback: callback)
    }

    /// As ``showPaymentSheet(_:)``.
    public func showPaymentSheetWithData(_ paymentData: String) async -> PaymentSheetOutcome { await showPaymentSheet(paymentData) }

    /// As ``inquirePaymentOption(_:completionHandler:)``.
    public func inquirePaymentOption(with params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        inquirePaymentOption(params, completionHandler: completionHandler)
    }

    /// As ``showPaymentSheet(_:callback:)``.
    public func showPaymentSheet(withData paymentData: String, callback: @escaping SheetCallback) {
        showPaymentSheet(paymentData, callback: callback)
    }

    /// As ``canProcessOrderWithPaymentResult(_:)``.
    public func canProcessOrder(withPaymentResult resultUrl: URL) -> Bool { canProcessOrderWithPaymentResult(resultUrl) }

    /// As ``processOrderWithPaymentResult(_:)``.
    public func processOrder(withPaymentResult resultUrl: URL) { processOrderWithPaymentResult(resultUrl) }
}
