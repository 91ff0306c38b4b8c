import ApplePay
import BillfoldJSON
import Foundation
import PaymentCrypto

/// What activation data is to say, or must say: a JSON file.
///
/// For Visa `{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d4","authenticationCode":"ZX81QL"}`; with `primaryAccountNumber` and
/// `expiration` (`MM/YY`) the account data is made too. For Mastercard `{"network":"mastercard","version":"3",
/// "primaryAccountNumber":"…","expiration":"12/30"}` with, by version, `validUntil` (ISO 8601), `includedFieldsInOrder`, `keyAlias`,
/// `tokenUniqueReference`.
enum ActivationRequest {
    case visa(Visa)
    case mastercard(TokenizationAuthenticationValue.Form, TokenizationAuthenticationValue.Card)

    struct Visa {
        var keySet: VisaKeySet
        var nonce: [UInt8]
        /// Nil has one drawn, or not compared.
        var authenticationCode: AuthenticationCode?
        var account: (CardNumber, CardExpiration)?
    }

    /// Whatever is wrong with the file is refused, under the code of the rule that it breaks.
    init(_ path: String, at instant: Date) throws {
        func unfit(_ code: String, _ reason: String) -> CommandFailure {
            CommandFailure(.refused, code: code, reason: "\(path): \(reason)")
        }
        do { try self.init(JSONReader.readObject(CommandFile.read(path)), at: instant) } catch let error as JSONError {
            throw unfit(error.code.description, error.reason)
        } catch let error as ApplePayError {
            throw unfit(error.code.description, error.reason)
        } catch let error as PaymentCryptoError {
            throw unfit(error.code.description, error.reason)
        } catch let error as Incomplete {
            throw unfit("input-incomplete", error.reason)
        }
    }

    private struct Incomplete: Error { var reason: String }

    private static let members: [String: Set<String>] = [
        "visa": ["network", "keySet", "nonce", "authenticationCode", "primaryAccountNumber", "expiration"],
        "mastercard": [
            "network", "version", "primaryAccountNumber", "expiration", "tokenUniqueReference", "validUntil", "includedFieldsInOrder",
            "keyAlias",
        ],
    ]

    private init(_ object: JSONObject, at instant: Date) throws {
        func text(_ key: String) throws -> String? {
            guard let value = object[key] else { return nil }
            guard let text = value.string else { throw Incomplete(reason: "\(key) is not a text") }
            return text
        }
        func required(_ key: String) throws -> String {
            guard let text = try text(key) else { throw Incomplete(reason: "it names no \(key)") }
            return text
        }
        let network = try text("network")?.lowercased()
        guard let network, let known = Self.members[network] else {
            throw Incomplete(reason: "network is neither visa nor mastercard: what others take is not published")
        }
        if let other = object.members(besides: known).first {
            throw Incomplete(reason: "\(network) knows no member '\(other.key.prefix(40))'")
        }
        switch network {
        case "visa":
            let nonce = try Hexadecimal.decode(required("nonce"))
            guard nonce.count == ProvisioningChallenge.nonceCount else {
                throw ApplePayError(code: .nonceLength, reason: "the nonce has \(nonce.count) bytes, not 4")
            }
            var visa = Visa(keySet: try VisaKeySet(required("keySet")), nonce: nonce)
            visa.authenticationCode = try text("authenticationCode").map { try AuthenticationCode($0) }
            if let number = try text("primaryAccountNumber") {
                visa.account = (try CardNumber(number), try CardExpiration(slashed: required("expiration")))
            }
            self = .visa(visa)
        default:
            let card = TokenizationAuthenticationValue.Card(
                accountNumber: try CardNumber(required("primaryAccountNumber")),
                expiration: try text("expiration").map { try CardExpiration(slashed: $0) },
                tokenUniqueReference: try text("tokenUniqueReference"))
            let validUntil =
                try text("validUntil").map { try AuthenticationValueTimestamp($0) }
                ?? AuthenticationValueTimestamp(instant + TokenizationAuthenticationValue.recommendedValidity)
            let fields = try (text("includedFieldsInOrder") ?? "accountNumber|accountExpiry|dataValidUntilTimestamp").split(separator: "|")
                .map { name in
                    guard let field = TokenizationAuthenticationValue.Field(rawValue: String(name)) else {
                        throw Incomplete(reason: "includedFieldsInOrder names an unknown field")
                    }
                    return field
                }
            switch try text("version") ?? "3" {
            case "2":
                self = .mastercard(
                    .version2(
                        includesExpiration: card.expiration != nil, includesTokenUniqueReference: card.tokenUniqueReference != nil), card)
            case "3": self = .mastercard(.version3(fields: fields, validUntil: validUntil), card)
            case "4": self = .mastercard(.version4(keyAlias: try required("keyAlias"), fields: fields, validUntil: validUntil), card)
            default: throw Incomplete(reason: "the version is not 2, 3 or 4")
            }
        }
    }
}
