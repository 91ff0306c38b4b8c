import AlipayPlusValues
public import Foundation

/// The value of ``IAPConfiguration/envType`` for production.
public let kIAPEnvPROD = AlipayPlusEnvironment.production.rawValue
/// The value of ``IAPConfiguration/envType`` for the sandbox.
public let kIAPEnvSANDBOX = AlipayPlusEnvironment.sandbox.rawValue

/// What the SDK is set up with. ``AlipayPlusClient/setConfiguration(_:)`` copies the values and keeps them in memory only.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPConfiguration: NSObject {
    /// Mandatory: the merchant's id at the acquirer, at most 64 characters [I]; the `referenceMerchantId` of `pay`.
    public var merchantId: String
    /// Mandatory: the acquirer's id, given out by Alipay+; letters and digits, 16 of them in public examples [O], at most 64 here [I].
    public var acquirerId: String
    /// One of `zh_CN`, `zh_HK`, `en_US`, `ko_KR`, `fil_PH`, `ms_MY`, `id_ID`, `th_TH`. Anything else means English.
    public var language: String?
    /// ``kIAPEnvPROD`` or ``kIAPEnvSANDBOX``; nil is production. It chooses the hosts (``AlipayPlusHosts``).
    public var envType: String?
    /// The URL scheme that the Alipay app returns to; only with the Alipay SDK linked (``AlipayPlusClient/alipaySDKSService``).
    public var fromScheme: String?

    public override convenience init() { self.init(merchantId: "", acquirerId: "") }

    public init(
        merchantId: String, acquirerId: String, language: String? = "en_US", envType: String? = kIAPEnvPROD, fromScheme: String? = nil
    ) {
        self.merchantId = merchantId
        self.acquirerId = acquirerId
        self.language = language
        self.envType = envType
        self.fromScheme = fromScheme
    }
}
