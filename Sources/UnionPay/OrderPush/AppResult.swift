/// How UnionPay's client on the phone says that a payment ended: `code` in the URL that comes back, and `pay_result` in the signed text
/// (unionpay-tn.md#result [D]).
///
/// None of them settles anything. The merchant's server decides, by the notification or by a query; the word chooses what the app shows
/// meanwhile.
public enum AppResultWord: String, Sendable, Hashable, Codable, CaseIterable {
    /// The client showed success. The money is not proven.
    case success
    /// The client showed a failure. The order may be paid all the same, or later: ask.
    case fail
    /// The customer left. A payment that was begun before may have gone through: ask.
    case cancel
}

/// The signed text that may come beside a result, of which nothing is believed yet: `{"sign": …, "data": …}`.
public struct UnverifiedAppResult: Sendable, Hashable, Codable {
    /// Base64 of the signature.
    public var sign: String
    /// The text that is signed, as it came: `pay_result=success&tn=…&cert_id=…`.
    public var data: String

    public init(sign: String, data: String) {
        self.sign = sign
        self.data = data
    }
}

/// What UnionPay signed about the end of a payment on the phone.
///
/// It names no amount and no merchant's order. It says which number the client spoke of and how it ended there, and proves no money.
public struct VerifiedAppResult: Sendable, Hashable {
    public let word: AppResultWord
    public let number: TransactionNumber
    public let certificateID: CertificateID

    /// Reads the text once its signature fits: each of the three names exactly once.
    init(checked text: String) throws(UnionPayError) {
        let values = try AppResultText.values(text)
        guard let word = AppResultWord(rawValue: try AppResultText.required("pay_result", values)) else {
            throw UnionPayError(code: .invalidField, reason: "pay_result is none that is known")
        }
        self.word = word
        number = try TransactionNumber(AppResultText.required("tn", values))
        certificateID = try CertificateID(AppResultText.required("cert_id", values))
    }
}

/// The text `pay_result=…&tn=…&cert_id=…`. Values are not percent-encoded in it.
enum AppResultText {
    static func values(_ text: String) throws(UnionPayError) -> [String: String] {
        var values: [String: String] = [:]
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "=") else {
                throw UnionPayError(code: .malformedBody, reason: "a part of the result has no =")
            }
            guard values.updateValue(String(part[part.index(after: sign)...]), forKey: String(part[..<sign])) == nil else {
                throw UnionPayError(code: .duplicateField, reason: "the result has a name twice")
            }
        }
        return values
    }

    static func required(_ name: String, _ values: [String: String]) throws(UnionPayError) -> String {
        guard let value = values[name], !value.isEmpty else {
            throw UnionPayError(code: .missingField, reason: "the result has no \(name)")
        }
        return value
    }
}
