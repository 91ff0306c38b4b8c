public import Foundation

/// What a payment option is asked for with.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPInquirePaymentOptionParams: NSObject {
    /// Mandatory: three letters of ISO 4217, the currency that the merchant charges.
    public var paymentCurrency: String
    /// Layout, terminal and custom part, such as `P1-APP-01`; nil is that one [I].
    public var logoPattern: String?

    public override convenience init() { self.init(paymentCurrency: "") }

    public init(paymentCurrency: String, logoPattern: String? = nil) {
        self.paymentCurrency = paymentCurrency
        self.logoPattern = logoPattern
    }
}
