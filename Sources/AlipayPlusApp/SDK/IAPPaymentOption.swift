public import Foundation

/// Whether Alipay+ can be offered now, and how its row is drawn.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPPaymentOption: NSObject, NSCoding, Sendable {
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

    // MARK: From a dictionary

    /// Takes members of the names that the properties have [I]; `enabled` is a truth value or its word. Nil where it is neither.
    #if canImport(ObjectiveC)
        @objc(initWithJSONDictionary:)
    #endif
    public convenience init?(jsonDictionary json: [AnyHashable: Any]) {
        guard let enabled = json["enabled"] as? Bool ?? (json["enabled"] as? String).flatMap(Bool.init) else { return nil }
        let logos = (json["logos"] as? [[AnyHashable: Any]])?.map { logo in
            func text(_ key: String) -> String { logo[key].map { "\($0)" } ?? "" }
            return IAPLogo(
                logoName: text("logoName"), logoUrl: text("logoUrl"), logoPattern: text("logoPattern"), logoWidth: text("logoWidth"),
                logoHeight: text("logoHeight"))
        }
        self.init(
            enabled: enabled, paymentMethodType: json["paymentMethodType"] as? String ?? "CONNECT_WALLET",
            brandName: json["brandName"] as? String, logos: logos, disableReason: json["disableReason"] as? String,
            promoNames: json["promoNames"] as? [String])
    }

    /// The same: the currency is not used, nor is it from release 2.1.0 of the real SDK on [O].
    #if canImport(ObjectiveC)
        @objc(initWithJSONDictionary:currency:)
    #endif
    public convenience init?(jsonDictionary json: [AnyHashable: Any], currency: String) { self.init(jsonDictionary: json) }

    // MARK: In an archive

    /// Nil for an archive of anything else.
    public convenience init?(coder: NSCoder) {
        // Elsewhere than on Apple's systems, asking for what is not there fails the whole archive.
        func value(_ key: String) -> Any? { coder.containsValue(forKey: key) ? coder.decodeObject(forKey: key) : nil }
        func text(_ key: String) -> String? { value(key) as? String }
        guard let type = text("paymentMethodType") else { return nil }
        let logos = value("logos") as? [IAPLogo]
        let names = value("promoNames") as? [String]
        self.init(
            enabled: coder.decodeBool(forKey: "enabled"), paymentMethodType: type, brandName: text("brandName"), logos: logos,
            disableReason: text("disableReason"), promoNames: names)
    }

    /// Keeps every property; an archive gives them back.
    public func encode(with coder: NSCoder) {
        coder.encode(enabled, forKey: "enabled")
        for (key, text) in ["paymentMethodType": paymentMethodType, "brandName": brandName, "disableReason": disableReason] {
            if let text { coder.encode(text as NSString, forKey: key) }
        }
        if let logos { coder.encode(logos as NSArray, forKey: "logos") }
        if let promoNames { coder.encode(promoNames.map { $0 as NSString } as NSArray, forKey: "promoNames") }
    }
}
