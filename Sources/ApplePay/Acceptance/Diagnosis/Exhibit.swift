import BillfoldDiagnosis
import PaymentCrypto

/// What an artifact turned out to be.
enum Exhibit {
    case token(PaymentToken)
    /// A token that strict parsing refused and a known repair made readable.
    case damagedToken(TransportRepair, ApplePayError)
    case unreadableToken(ApplePayError)
    /// No bytes where a token's `paymentData` should be.
    case emptyToken
    case payload(PaymentPayload)
    case unreadablePayload(ApplePayError)
    case certificate(ParsedCertificate)
    case key(PrivateKey)
    case request(PaymentRequest)
    case unreadableRequest(ApplePayError)
    case session(SheetSession)
    case unreadableSession(ApplePayError)
    case hints(MerchantHints)

    /// Takes an artifact apart; empty when it is none of this library's.
    static func read(_ artifact: Artifact) -> [Exhibit] {
        let bytes = artifact.bytes
        guard !bytes.isEmpty else { return artifact.name.lowercased().contains("paymentdata") ? [.emptyToken] : [] }
        guard bytes.count <= SheetSession.byteLimit else { return [] }
        if contains(bytes, "-----BEGIN ") { return pem(String(decoding: bytes, as: UTF8.self)) }
        guard let object = try? JSONReader.readObject(bytes, maximumBytes: SheetSession.byteLimit) else {
            return contains(bytes, "EC_v1") || contains(bytes, "RSA_v1") ? [token(bytes)] : []
        }
        if object["kind"]?.string == SheetSession.kind {
            do throws(ApplePayError) {
                return [.session(try SheetSession(object))]
            } catch {
                return [.unreadableSession(error)]
            }
        }
        if object["applicationPrimaryAccountNumber"] != nil {
            do throws(ApplePayError) {
                return [.payload(try PaymentPayload(bytes))]
            } catch {
                return [.unreadablePayload(error)]
            }
        }
        if object["paymentData"] != nil || (object["header"] != nil && object["signature"] != nil && object["data"] != nil) {
            return [token(bytes)]
        }
        if object["supportedNetworks"] != nil || (object["countryCode"] != nil && object["currencyCode"] != nil) {
            do throws(ApplePayError) {
                return [.request(try PaymentRequest(object))]
            } catch {
                return [.unreadableRequest(error)]
            }
        }
        return MerchantHints(object).map { [.hints($0)] } ?? []
    }

    private static func token(_ bytes: [UInt8]) -> Exhibit {
        do throws(ApplePayError) {
            return .token(try PaymentToken(bytes, maximumBytes: SheetSession.byteLimit))
        } catch {
            if error.code == .emptyPaymentData { return .emptyToken }
            if let repair = TransportRepair(bytes) { return .damagedToken(repair, error) }
            return .unreadableToken(error)
        }
    }

    private static func pem(_ text: String) -> [Exhibit] {
        guard let blocks = try? PEMText(text).blocks else { return [] }
        return blocks.compactMap { block in
            switch block.label {
            case "CERTIFICATE": (try? ParsedCertificate(der: block.bytes)).map { .certificate($0) }
            case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY": (try? PrivateKey(der: block.bytes)).map { .key($0) }
            default: nil
            }
        }
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}

/// What the merchant's own configuration and order say: a JSON file such as `{"merchantIdentifier":"merchant.example.shop"}`.
///
/// Members, all optional but at least one: `merchantIdentifier`; `applicationData`, the text that the server issued;
/// `amount` in major units with `currency`; `txnAmt`, the minor units that were sent to the acquirer.
struct MerchantHints {
    var merchantIdentifier: String?
    var applicationData: String?
    var amount: String?
    var currency: String?
    var charged: String?

    init?(_ object: JSONObject) {
        merchantIdentifier = object["merchantIdentifier"]?.string
        applicationData = object["applicationData"]?.string
        amount = object["amount"]?.string
        currency = object["currency"]?.string
        charged = object["txnAmt"]?.string
        // Amounts alone occur in everybody's JSON.
        guard merchantIdentifier != nil || applicationData != nil || (amount != nil && currency != nil) else { return nil }
        guard object["signature"] == nil else { return nil }
    }
}
