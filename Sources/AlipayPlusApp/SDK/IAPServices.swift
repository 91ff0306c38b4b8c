public import Foundation

/// Told what the SDK does and what fails. Nothing secret is in it, and no address: wallets' links carry codes.
#if canImport(ObjectiveC)
    @objc
#endif
@MainActor
public protocol IAPLogServiceProtocol {
    /// - Parameters:
    ///   - name: What happened: one of ``IAPLogName``.
    ///   - parameter: Facts about it, such as a payment's id, a wallet's name or an error.
    func logWithName(_ name: String, parameter: [String: String])
}

/// Told of a payment's end by the Alipay SDK: `resultStatus`, `result` and `memo`.
public typealias IAPAlipayCallback = @MainActor ([AnyHashable: Any]?) -> Void

/// The Alipay SDK, where the app links it. `AlipaySDK` of AlipayApp already has both calls: `extension AlipaySDK: IAPAlipaySDKService {}`.
#if canImport(ObjectiveC)
    @objc
#endif
@MainActor
public protocol IAPAlipaySDKService {
    /// Pays an order string by the Alipay app.
    #if canImport(ObjectiveC)
        @objc(payOrder:fromScheme:callback:)
    #endif
    func payOrder(_ orderStr: String, fromScheme schemeStr: String, callback: IAPAlipayCallback?)

    /// Takes the URL by which the Alipay app came back; the callback is for an app that was killed meanwhile.
    #if canImport(ObjectiveC)
        @objc(processOrderWithPaymentResult:standbyCallback:)
    #endif
    func processOrderWithPaymentResult(_ resultUrl: URL, standbyCallback: IAPAlipayCallback?)
}
