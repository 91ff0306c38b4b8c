import BillfoldJSON
import PaymentCrypto

/// What the merchant's own configuration and order say: a JSON file such as `{"merchantIdentifier":"merchant.example.shop"}`.
///
/// Members, all optional but at least one: `merchantIdentifier`; `applicationData`, the text that the server issued;
/// `amount` in major units with `currency`; `txnAmt`, the minor units that were sent to the acquirer. Amounts may be text or
/// numbers; `applicationData` may be base64, as in a request.
struct MerchantHints {
    var merchantIdentifier: String?
    var applicationData: String?
    var amount: String?
    var currency: String?
    var charged: String?

    /// The forms in which ``applicationData`` may have been written down.
    var issuedApplicationData: [[UInt8]] {
        guard let applicationData else { return [] }
        return [Array(applicationData.utf8)] + ((try? StrictBase64.decode(applicationData)).map { [$0] } ?? [])
    }

    init?(_ object: JSONObject) {
        merchantIdentifier = object["merchantIdentifier"]?.string
        applicationData = object["applicationData"]?.string
        amount = object["amount"]?.literal
        currency = object["currency"]?.string
        charged = object["txnAmt"]?.literal
        // Amounts alone occur in everybody's JSON.
        guard merchantIdentifier != nil || applicationData != nil || (amount != nil && currency != nil) else { return nil }
        guard object["signature"] == nil else { return nil }
    }
}

extension JSONValue {
    /// Text, or a number as it was written.
    fileprivate var literal: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
