import ApplePay
import BillfoldJSON
import Crypto
import Foundation
package import PaymentCrypto

/// Makes a two-part triple DES key of 16 bytes; a library outside this one holds the cipher.
package typealias TripleDESKeyMaker = @Sendable (_ bytes: [UInt8]) throws -> any TripleDESDecryptionKey

/// The network's keys and what it does with them.
struct NetworkVault: Sendable {
    let accountKey: P256PrivateKey
    let sealer: EnvelopeSealer
    let hashKey: [UInt8]
    let random: @Sendable () -> UInt64
    let makeTripleDESKey: TripleDESKeyMaker

    init(keys: PartyKeys, random: @escaping @Sendable () -> UInt64, makeTripleDESKey: @escaping TripleDESKeyMaker) throws {
        var generator = InjectedGenerator(draw: random)
        accountKey = try keys.agreementKey("account", using: &generator)
        (sealer, hashKey) = try keys.sealing(using: &generator)
        self.random = random
        self.makeTripleDESKey = makeTripleDESKey
    }

    /// Seals for the store. `context` ties the bytes to their row.
    func seal(_ value: some Encodable, context: String) throws -> String {
        var generator = InjectedGenerator(draw: random)
        return StrictBase64.encode(try sealer.seal(try JSONDocument.encode(value), context: Array(context.utf8), using: &generator))
    }

    func open<Value: Decodable>(_ type: Value.Type, _ sealed: String, context: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try sealer.open(StrictBase64.decode(sealed), context: Array(context.utf8))))
    }

    /// Opens what the broker or an issuer sealed to the account key.
    func received<Value: Decodable>(_ type: Value.Type, _ sealed: String) throws(SandboxRefusal) -> Value {
        do {
            let opened = try HybridEncryption.open(StrictBase64.decode(sealed), with: accountKey, info: NetworkWire.accountInfo)
            return try JSONDecoder().decode(type, from: Data(opened))
        } catch {
            throw SandboxRefusal(code: "account-unreadable", reason: "the sealed account does not open with the network's key")
        }
    }

    /// A keyed hash, lower-case hexadecimal.
    func hash(_ text: String) -> String {
        Hexadecimal.encode(Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: hashKey))))
    }

    /// A device's number from the network's own range, Luhn-valid and nobody's.
    func deviceAccountNumber(_ network: String) -> String {
        let prefix = ["visa": "489537", "mastercard": "520473"][network] ?? "623581"
        var generator = InjectedGenerator(draw: random)
        let body = prefix + (0..<9).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        return body + String(SecureElementCard.checkDigit(body))
    }

    /// An account's or a token's reference, in the form of its scheme (provisioning.md#identifiers).
    func reference(_ network: String, isToken: Bool) -> String {
        var generator = InjectedGenerator(draw: random)
        func letters(_ count: Int, _ alphabet: String) -> String {
            String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
        }
        switch network {
        case "visa": return isToken ? "DNITHE" + letters(26, "0123456789") : "V-99" + letters(20, "0123456789")
        case "mastercard": return (isToken ? "DAPLMC" : "FAPLMC") + letters(42, "0123456789abcdef")
        default: return (isToken ? "UT-" : "UA-") + letters(24, "0123456789")
        }
    }

    /// A one-time code of six digits.
    func code() -> String {
        var generator = InjectedGenerator(draw: random)
        return (0..<6).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }
}
