/// `partner`: 16 digits that begin with 2088 [D]. A test library's partners do not begin so [V]: only documented mode asks for it.
public struct PartnerRule: OrderRule {
    public let code = "alipay.partner"
    let needsPrefix: Bool

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["partner"] else { return nil }
        return Self.isPartner(value, needsPrefix: needsPrefix) ? nil : broken("partner", "is not 16 digits that begin with 2088")
    }

    /// Whether a text is a partner's number: 16 digits that begin with 2088.
    public static func isPartner(_ text: String) -> Bool { isPartner(text, needsPrefix: true) }

    private static func isPartner(_ text: String, needsPrefix: Bool) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (!needsPrefix || text.utf8.starts(with: "2088".utf8))
    }
}

/// `seller_id`: a 2088 number, an e-mail address or a telephone number; e-mail addresses are longer than the documented 16 [O].
public struct SellerRule: OrderRule {
    public let code = "alipay.seller"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["seller_id"] else { return nil }
        let isNumber =
            (5...16).contains(value.utf8.count) && value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2B }
        let isAddress =
            value.utf8.count <= 100 && value.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).count == 2
        return isNumber || isAddress && !value.utf8.contains(UInt8(ascii: " "))
            ? nil : broken("seller_id", "is no account number, e-mail address or telephone number")
    }
}

/// `secondary_merchant_industry`: four digits of a merchant category.
public struct MerchantCategoryRule: OrderRule {
    public let code = "alipay.merchant-category"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["secondary_merchant_industry"] else { return nil }
        let isCode = value.utf8.count == 4 && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isCode ? nil : broken("secondary_merchant_industry", "is not a merchant category of four digits")
    }
}

/// `out_trade_no`: up to 64 characters. A space in it brings the wallet a generic "system busy" [O]. It comes back signed: see
/// ``PairText``.
public struct OrderNumberRule: OrderRule {
    public let code = "alipay.order-number"
    /// Strictly, letters, digits, `_` and, for legacy orders, `-`.
    let extra: String
    let reading: AlipayReading

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["out_trade_no"] else { return nil }
        guard value.unicodeScalars.count <= 64 else { return broken("out_trade_no", "has more than 64 characters") }
        let allowed = value.unicodeScalars.allSatisfy { scalar in
            if reading == .asObserved { return scalar.value > 0x20 && scalar.value != 0x7F && PairText.offence(in: String(scalar)) == nil }
            return scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || extra.unicodeScalars.contains(scalar))
        }
        return allowed ? nil : broken("out_trade_no", "holds a character that order numbers do not have")
    }
}
