import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
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
    /// A PEM file, or one block of it, that does not hold what its label says.
    case unreadablePEM(PaymentCryptoError)
    /// A private key under a password.
    case encryptedKey
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
        if isPEM(bytes) { return pem(String(decoding: bytes, as: UTF8.self)) }
        if bytes.first == 0x30, let certificate = try? ParsedCertificate(der: bytes) { return [.certificate(certificate)] }
        guard let object = try? ApplePayJSON.readObject(bytes, maximumBytes: SheetSession.byteLimit) else {
            if contains(bytes, "EC_v1") || contains(bytes, "RSA_v1") { return [token(bytes)] }
            return TransportRepair(bytes).map { [.damagedToken($0, refusal(of: bytes))] } ?? []
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

    /// Why the bytes of a token that can be repaired are refused.
    private static func refusal(of bytes: [UInt8]) -> ApplePayError {
        do throws(ApplePayError) {
            _ = try PaymentToken(bytes, maximumBytes: SheetSession.byteLimit)
            return ApplePayError(code: .malformedToken, reason: "the token stands in another form")
        } catch { return error }
    }

    /// A message may carry a PEM text in one of its fields; a PEM file has the marker at the start of a line.
    private static func isPEM(_ bytes: [UInt8]) -> Bool {
        var isLineStart = true
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isLineStart = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "-") where isLineStart && bytes[index...].starts(with: "-----BEGIN ".utf8): return true
            default: isLineStart = false
            }
        }
        return false
    }

    private static func pem(_ text: String) -> [Exhibit] {
        do throws(PaymentCryptoError) {
            var exhibits: [Exhibit] = []
            for block in try PEMText(text).blocks {
                switch block.label {
                case "CERTIFICATE": exhibits.append(.certificate(try ParsedCertificate(der: block.bytes)))
                case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY": if let key = try key(block.bytes) { exhibits.append(key) }
                case "ENCRYPTED PRIVATE KEY": exhibits.append(.encryptedKey)
                default: continue
                }
            }
            return exhibits
        } catch { return [.unreadablePEM(error)] }
    }

    /// Nil for a key of a kind that the wallet does not use: another diagnostician may know it.
    private static func key(_ der: [UInt8]) throws(PaymentCryptoError) -> Exhibit? {
        do throws(PaymentCryptoError) {
            return .key(try PrivateKey(der: der))
        } catch {
            // A key that is too short for this journey belongs to another one.
            guard error.code == .unsupportedKey || (try? LegacyRSAPrivateKey(der: der)) != nil else { throw error }
            return nil
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
