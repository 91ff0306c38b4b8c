import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import Foundation
import PaymentCrypto

/// Seals card numbers for the store, opens them where a payload is built, and finds cards by number without opening any.
struct CardVault: Sendable {
    let sealer: EnvelopeSealer
    let hashing: HashingKey

    /// The first byte of what is stored: the number's envelope and the contacts' apart. 1 is an envelope of both as JSON, as rows hold that
    /// were stored before and whose customers have not logged in since.
    private static let form: UInt8 = 2

    /// Both in one envelope.
    private struct Joint: Decodable {
        var number: Data
        var expiration: String
        var contacts: [CardSecrets.Contact]
    }

    /// What a number is found by. It tells nothing without the hashing key.
    func hash(ofNumber digits: some Sequence<UInt8>) -> KeyedHash {
        KeyedHash(of: digits, purpose: "primary-account-number", key: hashing)
    }

    /// Form, length of the number's envelope (2 bytes, big-endian), that envelope, the contacts' envelope. Inside the number's: the count
    /// of its digits, the digits, the expiry.
    func seal(_ secrets: CardSecrets, card id: String, using generator: inout some RandomNumberGenerator) throws -> [UInt8] {
        guard let digits = UInt8(exactly: secrets.primaryAccountNumber.count) else {
            throw ProvisioningError(code: .processorAnswer, reason: "card \(id): the card number is too long")
        }
        let plain = SecretBytes(joining: [[digits], secrets.primaryAccountNumber, Array(secrets.expiration.utf8)])
        let number = try sealer.seal(plain, context: Self.context(id), using: &generator)
        let contacts = try sealer.seal(
            JSONDocument.encode(secrets.contacts), context: Self.contactsContext(id), using: &generator)
        return [Self.form, UInt8(number.count >> 8), UInt8(number.count & 0xFF)] + number + contacts
    }

    /// A card's number, ASCII digits, and its expiry, `MM/YY`.
    typealias Account = (number: SecretBytes, expiration: String)

    /// Opens a card's secrets. Keep them for as long as one payload takes.
    func open(_ card: StoredCard) throws -> CardSecrets {
        let account = try account(of: card)
        return CardSecrets(primaryAccountNumber: account.number, expiration: account.expiration, contacts: try contacts(of: card))
    }

    /// Opens a card's number and expiry, and not its contacts.
    func account(of card: StoredCard) throws -> Account {
        guard let (number, _) = try Self.envelopes(card) else {
            let secrets = try openJoint(card)
            return (secrets.primaryAccountNumber, secrets.expiration)
        }
        let plain = try sealer.openSecret(number, context: Self.context(card.id))
        return try plain.withUnsafeBytes { bytes in
            guard let count = bytes.first.map(Int.init), bytes.count > count + 1,
                let expiration = String(validating: bytes[(1 + count)...], as: UTF8.self)
            else { throw Self.unreadable }
            return (SecretBytes(UnsafeRawBufferPointer(rebasing: bytes[1..<(1 + count)])), expiration)
        }
    }

    /// Opens a card's contacts, and not its number.
    func contacts(of card: StoredCard) throws -> [CardSecrets.Contact] {
        guard let (_, contacts) = try Self.envelopes(card) else { return try openJoint(card).contacts }
        let plain = try sealer.openSecret(contacts, context: Self.contactsContext(card.id))
        return try plain.withUnsafeBytes { try JSONDocument.decode([CardSecrets.Contact].self, Array($0)) }
    }

    private func openJoint(_ card: StoredCard) throws -> CardSecrets {
        let bytes = try sealer.openSecret(card.sealed, context: Self.context(card.id))
        var plain = try bytes.withUnsafeBytes { try JSONDecoder().decode(Joint.self, from: Data($0)) }
        defer { plain.number.resetBytes(in: plain.number.startIndex..<plain.number.endIndex) }
        return CardSecrets(primaryAccountNumber: SecretBytes(plain.number), expiration: plain.expiration, contacts: plain.contacts)
    }

    /// `nil` for a row with one envelope of both.
    private static func envelopes(_ card: StoredCard) throws -> (number: [UInt8], contacts: [UInt8])? {
        guard card.sealed.first == form else { return nil }
        guard card.sealed.count > 3 else { throw unreadable }
        let length = Int(card.sealed[1]) << 8 | Int(card.sealed[2])
        return (Array(card.sealed.dropFirst(3).prefix(length)), Array(card.sealed.dropFirst(3 + length)))
    }

    private static var unreadable: StorageError {
        StorageError(code: .unexpectedValue, reason: "a card's sealed secrets have another layout")
    }

    /// A sealed value cannot be moved to another card's row, nor contacts to the number's place.
    private static func context(_ id: String) -> [UInt8] { Array("card:\(id)".utf8) }

    private static func contactsContext(_ id: String) -> [UInt8] { Array("card-contacts:\(id)".utf8) }
}
