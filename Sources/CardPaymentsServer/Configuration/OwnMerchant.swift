package import BillfoldPayments
package import UnionPay

/// Merchants of the sandbox that somebody registers while it runs: each has books and a number at the acquirer of its own, and the keys and
/// the name at the wallet of the first merchant that is configured. Both are made of eight digits, so that nothing else need be kept of one.
package enum OwnMerchant {
    private static let prefix = "own-"
    /// Seven digits of the acquirer's range for tests.
    private static let range = "7772900"

    /// The owner of the books; `nil` where these are not eight digits.
    package static func id(_ digits: String) -> BillfoldPayments.MerchantID? {
        guard digits.utf8.count == 8, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return try? BillfoldPayments.MerchantID(prefix + digits)
    }

    /// `merId` of such a merchant; `nil` for any other.
    package static func acquirerID(of id: BillfoldPayments.MerchantID) -> UnionPay.MerchantID? {
        let text = id.description
        guard text.hasPrefix(prefix) else { return nil }
        let digits = String(text.dropFirst(prefix.count))
        return Self.id(digits) == id ? try? AcquirerMerchantID(range + digits) : nil
    }

    /// The same as text.
    static func number(of id: BillfoldPayments.MerchantID) -> String? { acquirerID(of: id)?.description }

    /// The merchant that the acquirer knows by this number; `nil` for any other.
    static func id(of acquirerID: AcquirerMerchantID) -> BillfoldPayments.MerchantID? {
        let text = acquirerID.description
        return text.hasPrefix(range) ? id(String(text.dropFirst(range.count))) : nil
    }

    /// The merchant, as it serves under the first one's keys.
    static func profile(_ id: BillfoldPayments.MerchantID, under first: MerchantProfile) -> MerchantProfile? {
        guard let acquirerID = acquirerID(of: id) else { return nil }
        var profile = first
        (profile.id, profile.acquirerID) = (id, acquirerID)
        return profile
    }
}
