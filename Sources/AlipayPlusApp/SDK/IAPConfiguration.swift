public import Foundation

/// What the SDK is set up with. The client holds the object, in memory only, and each call reads it when it is made.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPConfiguration: NSObject {
    /// Mandatory: the merchant's id at the acquirer, at most 64 characters [I]; the `referenceMerchantId` of `pay`.
    public var merchantId: String
    /// Mandatory: the acquirer's id, given out by Alipay+; at most 64 letters, digits, `-` and `_` here [I].
    public var acquirerId: String
    /// One of `zh_CN`, `zh_HK`, `en_US`, `ko_KR`, `fil_PH`, `ms_MY`, `id_ID`, `th_TH`. Anything else means English, the default.
    public var language: String?
    /// ``kIAPEnvPROD``, the default, or ``kIAPEnvSANDBOX``; nil is production. It chooses the hosts (``AlipayPlusHosts``).
    public var envType: IAPEnv?
    /// The URL scheme that the Alipay app returns to; only with the Alipay SDK linked (``AlipayPlusClient/alipaySDKSService``).
    public var fromScheme: String?

    /// Mandatory values are empty.
    public override convenience init() { self.init(merchantId: "", acquirerId: "") }

    public init(
        merchantId: String, acquirerId: String, language: String? = "en_US", envType: IAPEnv? = kIAPEnvPROD, fromScheme: String? = nil
    ) {
        self.merchantId = merchantId
        self.acquirerId = acquirerId
        self.language = language
        self.envType = envType
        self.fromScheme = fromScheme
    }
}
