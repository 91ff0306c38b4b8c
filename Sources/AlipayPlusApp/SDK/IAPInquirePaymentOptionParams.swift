public import Foundation

/// What a payment option is asked for with.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPInquirePaymentOptionParams: NSObject {
    /// Mandatory: three letters of ISO 4217, the currency that the merchant charges.
    public var paymentCurrency: String
    /// Two capital letters of ISO 3166: where the person is. Nil is no region. In the header, and in no document [O].
    public var userRegion: String?
    /// Layout, terminal and custom part, such as `P1-APP-01`; nil is that one [I].
    public var logoPattern: String?

    public override convenience init() { self.init(paymentCurrency: "") }

    public init(paymentCurrency: String, userRegion: String? = nil, logoPattern: String? = nil) {
        self.paymentCurrency = paymentCurrency
        self.userRegion = userRegion
        self.logoPattern = logoPattern
    }
}
