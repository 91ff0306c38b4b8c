import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto

/// Seals card numbers for the store, opens them where a payload is built, and finds cards by number without opening any.
struct CardVault: Sendable {
    let sealer: EnvelopeSealer
    let hashing: SymmetricKey

    /// How the secrets lie inside the envelope.
    private struct Plain: Codable {
        var number: Data
        var expiration: String
        var contacts: [CardSecrets.Contact]
    }

    /// What a number is found by. It tells nothing without the hashing key.
    func hash(ofNumber digits: some Sequence<UInt8>) -> KeyedHash {
        KeyedHash(of: digits, purpose: "primary-account-number", key: hashing)
    }

    func seal(_ secrets: CardSecrets, card id: String, using generator: inout some RandomNumberGenerator) throws -> [UInt8] {
        let number = secrets.primaryAccountNumber.withUnsafeBytes { Data($0) }
        var plain = try JSONEncoder().encode(Plain(number: number, expiration: secrets.expiration, contacts: secrets.contacts))
        defer { plain.overwrite() }
        return try sealer.seal(plain, context: Self.context(id), using: &generator)
    }

    /// Opens a card's secrets. Keep them for as long as one payload takes.
    func open(_ card: StoredCard) throws -> CardSecrets {
        var bytes = try sealer.open(card.sealed, context: Self.context(card.id))
        defer { bytes.wipe() }
        var plain = try JSONDecoder().decode(Plain.self, from: Data(bytes))
        defer { plain.number.overwrite() }
        return CardSecrets(primaryAccountNumber: SecretBytes(plain.number), expiration: plain.expiration, contacts: plain.contacts)
    }

    /// A sealed value cannot be moved to another card's row.
    private static func context(_ id: String) -> [UInt8] { Array("card:\(id)".utf8) }
}

extension Data {
    /// Overwrites the bytes where they lie, when nobody else shares them.
    fileprivate mutating func overwrite() { resetBytes(in: startIndex..<endIndex) }
}
