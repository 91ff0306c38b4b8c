import ApplePay
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

    init(_ path: String, at instant: Date) throws {
        let object = try JSONReader.readObject(CommandFile.read(path))
        func text(_ key: String) -> String? { object[key]?.string }
        func required(_ key: String) throws -> String {
            guard let text = text(key) else { throw CommandFailure(.usage, code: "input-incomplete", reason: "\(path) names no \(key)") }
            return text
        }
        switch text("network")?.lowercased() {
        case "visa":
            let nonce = try Hexadecimal.decode(required("nonce"))
            guard nonce.count == ProvisioningChallenge.nonceCount else {
                throw ApplePayError(code: .nonceLength, reason: "the nonce has \(nonce.count) bytes, not 4")
            }
            var visa = Visa(keySet: try VisaKeySet(required("keySet")), nonce: nonce)
            visa.authenticationCode = try text("authenticationCode").map { try AuthenticationCode($0) }
            if let number = text("primaryAccountNumber") {
                visa.account = (try CardNumber(number), try CardExpiration(slashed: required("expiration")))
            }
            self = .visa(visa)
        case "mastercard":
            let card = TokenizationAuthenticationValue.Card(
                accountNumber: try CardNumber(required("primaryAccountNumber")),
                expiration: try text("expiration").map { try CardExpiration(slashed: $0) },
                tokenUniqueReference: text("tokenUniqueReference"))
            let validUntil =
                try text("validUntil").map { try AuthenticationValueTimestamp($0) }
                ?? AuthenticationValueTimestamp(instant + TokenizationAuthenticationValue.recommendedValidity)
            let fields = try (text("includedFieldsInOrder") ?? "accountNumber|accountExpiry|dataValidUntilTimestamp").split(separator: "|")
                .map { name in
                    guard let field = TokenizationAuthenticationValue.Field(rawValue: String(name)) else {
                        throw CommandFailure(.usage, code: "input-incomplete", reason: "includedFieldsInOrder names an unknown field")
                    }
                    return field
                }
            switch text("version") ?? "3" {
            case "2":
                self = .mastercard(
                    .version2(
                        includesExpiration: card.expiration != nil, includesTokenUniqueReference: card.tokenUniqueReference != nil), card)
            case "3": self = .mastercard(.version3(fields: fields, validUntil: validUntil), card)
            case "4": self = .mastercard(.version4(keyAlias: try required("keyAlias"), fields: fields, validUntil: validUntil), card)
            default: throw CommandFailure(.usage, code: "input-incomplete", reason: "the version is not 2, 3 or 4")
            }
        default: throw CommandFailure(.usage, code: "input-incomplete", reason: "network is neither visa nor mastercard")
        }
    }
}
