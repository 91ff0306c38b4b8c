public import Foundation

/// Whether Alipay+ can be offered now, and how its row is drawn.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPPaymentOption: NSObject, Sendable {
    /// False: do not offer it, and say ``disableReason`` where you show it at all.
    public let enabled: Bool
    /// `CONNECT_WALLET`.
    public let paymentMethodType: String
    /// May be nil when disabled.
    public let brandName: String?
    /// May be nil when disabled.
    public let logos: [IAPLogo]?
    /// Why it is disabled, for the person who pays and in the configured language; nil when enabled, never when disabled.
    public let disableReason: String?
    /// The best offer that runs now, in the configured language; nil when none does.
    public let promoNames: [String]?

    public init(
        enabled: Bool, paymentMethodType: String = "CONNECT_WALLET", brandName: String? = nil, logos: [IAPLogo]? = nil,
        disableReason: String? = nil, promoNames: [String]? = nil
    ) {
        self.enabled = enabled
        self.paymentMethodType = paymentMethodType
        self.brandName = brandName
        self.logos = logos
        self.disableReason = disableReason
        self.promoNames = promoNames
    }
}

/// One image of the row.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPLogo: NSObject, Sendable {
    public let logoName: String?
    public let logoUrl: String?
    /// The pattern that it was made for.
    public let logoPattern: String?
    /// In pixels.
    public let logoWidth: String?
    /// In pixels.
    public let logoHeight: String?

    public init(
        logoName: String? = nil, logoUrl: String? = nil, logoPattern: String? = nil, logoWidth: String? = nil, logoHeight: String? = nil
    ) {
        self.logoName = logoName
        self.logoUrl = logoUrl
        self.logoPattern = logoPattern
        self.logoWidth = logoWidth
        self.logoHeight = logoHeight
    }
}
