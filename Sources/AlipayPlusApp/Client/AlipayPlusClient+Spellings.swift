/// The document names its calls in two ways, in signatures and in samples; the header of release 2.1.4 has the samples' name of the first
/// call and the
/// signatures' of the second. All work, under the names by which Swift imports them.
extension AlipayPlusClient {
    /// As ``inquirePaymentOption(_:completionHandler:)``: the header's `inquirePaymentOptionWithParams:completionHandler:`.
    #if canImport(ObjectiveC)
        @objc(inquirePaymentOptionWithParams:completionHandler:)
    #endif
    public func inquirePaymentOption(with params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        inquirePaymentOption(params, completionHandler: completionHandler)
    }

    /// As ``inquirePaymentOption(_:completionHandler:)``, with the whole of the selector's label.
    public func inquirePaymentOption(withParams params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        inquirePaymentOption(params, completionHandler: completionHandler)
    }

    /// As ``inquirePaymentOption(_:)``: what Swift makes of the header's call for callers that wait. Throws an `NSError` of ``IAPErrorDomain``.
    @MainActor public func inquirePaymentOption(with params: IAPInquirePaymentOptionParams) async throws -> IAPPaymentOption {
        do throws(IAPError) { return try await inquirePaymentOption(params) } catch { throw error.nsError }
    }

    /// As ``showPaymentSheet(_:callback:)``: the sample's `showPaymentSheetWithData:callback:`.
    #if canImport(ObjectiveC)
        @objc(showPaymentSheetWithData:callback:)
    #endif
    public func showPaymentSheet(withData paymentData: String, callback: @escaping SheetCallback) {
        showPaymentSheet(paymentData, callback: callback)
    }
}
