#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The merchant's capabilities, from the server's names to PassKit's option set.
public enum MerchantCapabilities {
    /// Reads `threeDSecure` (or `supports3DS`), `emv`, `credit`, `debit` and `instantFundsOut`, each with its web spelling,
    /// and refuses anything else (`unknown-capability`).
    ///
    /// `threeDSecure` is required [D]; `emv` must be there if and only if UnionPay is among the networks (`emv-rule`):
    /// without it the sheet never calls back, with it a 3-D Secure processor refuses the token [O].
    public static func capabilities(
        named names: [String], for networks: [NetworkName]
    ) throws(ApplePayAppError) -> PKMerchantCapability {
        var capabilities: PKMerchantCapability = []
        for name in names {
            switch name {
            case "threeDSecure", "supports3DS": capabilities.insert(.threeDSecure)
            case "emv", "supportsEMV": capabilities.insert(.emv)
            case "credit", "supportsCredit": capabilities.insert(.credit)
            case "debit", "supportsDebit": capabilities.insert(.debit)
            case "instantFundsOut", "supportsInstantFundsOut":
                // Older systems do not know it and are asked without.
                if #available(iOS 17, *) { capabilities.insert(.instantFundsOut) }
            default: throw ApplePayAppError(code: .unknownCapability, reason: "no capability is named \(name.prefix(40))")
            }
        }
        guard capabilities.contains(.threeDSecure) else {
            throw ApplePayAppError(code: .unknownCapability, reason: "threeDSecure is required")
        }
        let isUnionPay = networks.contains(.chinaUnionPay)
        guard capabilities.contains(.emv) == isUnionPay else {
            throw ApplePayAppError(
                code: .emvRule, reason: isUnionPay ? "chinaUnionPay needs the emv capability" : "emv is for chinaUnionPay only")
        }
        return capabilities
    }
}
