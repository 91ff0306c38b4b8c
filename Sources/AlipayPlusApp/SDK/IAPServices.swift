public import Foundation

/// Told what the SDK does and what fails, on the main thread. Nothing secret is in it, and no address: wallets' links carry codes.
#if canImport(ObjectiveC)
    @objc
#endif
public protocol IAPLogServiceProtocol: AnyObject {
    /// - Parameters:
    ///   - name: What happened: one of ``IAPLogName``.
    ///   - parameter: Facts about it, all text, such as a payment's id, a wallet's name or an error.
    #if canImport(ObjectiveC)
        @objc(logWithName:parameter:)
    #endif
    func log(withName name: String, parameter: [AnyHashable: Any]?)
}

/// The Alipay SDK, where the app links it. The app writes a small class of its own that hands both calls on, as apps of the real SDK do.
///
/// Called on the main thread. The blocks may be called from any.
#if canImport(ObjectiveC)
    @objc
#endif
public protocol AlipaySDKServiceProtocol: AnyObject {
    /// Pays an order string by the Alipay app. The block is told how it ended: `resultStatus`, `result` and `memo`.
    #if canImport(ObjectiveC)
        @objc(payOrder:fromScheme:callback:)
    #endif
    func payOrder(_ orderStr: String, fromScheme schemeStr: String, callback completionBlock: @escaping ([AnyHashable: Any]) -> Void)

    /// Takes the URL by which the Alipay app came back; the block is for an app that was killed meanwhile.
    #if canImport(ObjectiveC)
        @objc(processOrderWithPaymentResult:standbyCallback:)
    #endif
    func processOrder(withPaymentResult resultUrl: URL, standbyCallback completionBlock: @escaping ([AnyHashable: Any]) -> Void)
}
