import BillfoldJSON
import PaymentCrypto

/// Which of the payload's configurations an object is of, by its members (provisioning.md#pass-data).
enum PayloadForm: Equatable {
    case fpan
    case encryptedFPAN
    /// The number sealed for Mastercard. The exact list of members is in no public material. [O]
    case mastercardEncrypted
    /// Members that no published configuration has.
    case unknown(members: [String])

    private static let challenge: Set = ["name", "nonce", "nonceSignature"]
    private static let clear = challenge.union(["primaryAccountNumber", "expiration"])
    private static let sealed = challenge.union(["primaryAccountNumberPrefix", "encryptedPrimaryAccountNumber", "networkName"])
    private static let mastercard = clear.union(["productType", "version"])

    init(_ object: JSONObject) {
        let names = Set(object.members.map(\.key))
        if names.isSubset(of: Self.clear), !Self.hasSealedNumber(object) {
            self = .fpan
        } else if names.isSubset(of: Self.mastercard) {
            self = .mastercardEncrypted
        } else if names.isSubset(of: Self.sealed), DistinctNetwork(spelled: object["networkName"]?.string ?? "Visa") == .visa {
            self = .encryptedFPAN
        } else {
            self = .unknown(members: object.members.map(\.key).filter { !Self.mastercard.union(Self.sealed).contains($0) })
        }
    }

    /// The number in clear, or the digits in clear of a sealed one.
    static func clearDigits(_ object: JSONObject) -> String? {
        if let prefix = object["primaryAccountNumberPrefix"]?.string { return prefix.allSatisfy(\.isNumber) ? prefix : nil }
        guard let number = object["primaryAccountNumber"]?.string?.filter({ $0 != " " && $0 != "-" }) else { return nil }
        return (13...19).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? number : nil
    }

    /// Whole blocks of ciphertext in hexadecimal where digits would stand.
    private static func hasSealedNumber(_ object: JSONObject) -> Bool {
        object["primaryAccountNumber"]?.string.map(CarriedBytes.isHexadecimal) ?? false
    }
}

/// Networks whose cards are never another one's too: a card of two of these is two cards. Domestic schemes and UnionPay share cards
/// with them, so a difference there says nothing. [I]
enum DistinctNetwork: String {
    case visa, mastercard, americanExpress

    /// By any of the spellings in use, a network's own brands among them; nil for other networks.
    init?(spelled text: String) {
        switch text.lowercased().filter(\.isLetter) {
        case "visa", "electron", "visaelectron", "vpay": self = .visa
        case "mastercard", "maestro": self = .mastercard
        case "amex", "americanexpress": self = .americanExpress
        default: return nil
        }
    }

    /// By the well-known ranges; nil for the rest. [I]
    init?(digits: String) {
        guard let four = Int(digits.prefix(4)), four >= 1_000 else { return nil }
        switch four {
        case 4_000...4_999: self = .visa
        case 5_100...5_599, 2_221...2_720: self = .mastercard
        case 3_400...3_499, 3_700...3_799: self = .americanExpress
        default: return nil
        }
    }

    /// As PassKit spells it.
    var passKitName: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .americanExpress: "AmEx"
        }
    }
}
