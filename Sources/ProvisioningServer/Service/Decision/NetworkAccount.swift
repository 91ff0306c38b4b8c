import ApplePay
import BillfoldJSON
import BillfoldPayments
import Foundation
import PaymentCrypto

/// A card number and its expiry between an issuer and a network: JSON sealed with HPKE for the receiver.
///
/// Each network has a form of its own for this; ours stands in for them [I]. The bytes are overwritten when the value is let go.
final class NetworkAccount: Sendable {
    static let purpose = "billfold network account"

    /// ASCII digits, 13 to 19.
    let number: SecretBytes
    /// `MM/YY`.
    let expiration: String

    init(number: SecretBytes, expiration: String) {
        self.number = number
        self.expiration = expiration
    }

    convenience init(_ account: CardVault.Account) { self.init(number: account.number, expiration: account.expiration) }

    /// Opens what a network sealed. Refuses with `account-unreadable`, and does not say which of its many reasons it was.
    ///
    /// - Parameter keys: The bytes name no key, so that each is tried, the newest first.
    convenience init(sealed text: String, keys: [P256PrivateKey]) throws(ProvisioningError) {
        guard let sealed = try? StrictBase64.decode(text), sealed.count < 1_024,
            var plain = keys.lazy.compactMap({ try? HybridEncryption.open(sealed, with: $0, info: Self.purpose) }).first
        else { throw Self.unreadable }
        defer { plain.wipe() }
        guard let members = Self.members(of: plain), Set(members.keys) == ["primaryAccountNumber", "expiration"],
            let digits = members["primaryAccountNumber"], let expiry = members["expiration"]
        else { throw Self.unreadable }
        let expiration = String(decoding: plain[expiry], as: UTF8.self)
        guard (13...19).contains(digits.count), plain[digits].allSatisfy({ (0x30...0x39).contains($0) }),
            (try? CardExpiration(slashed: expiration)) != nil
        else { throw Self.unreadable }
        self.init(number: SecretBytes(plain[digits]), expiration: expiration)
    }

    /// The number sealed for a network, as base64.
    func sealed(for key: PublicKey) throws -> String {
        var plain = Array("{\"primaryAccountNumber\":\"".utf8)
        number.withUnsafeBytes { plain += $0 }
        plain += Array("\",\"expiration\":\"\(expiration)\"}".utf8)
        defer { plain.wipe() }
        return StrictBase64.encode(try HybridEncryption.seal(plain, to: key, info: Self.purpose))
    }

    /// Finds the values of a flat JSON object of plain strings where they lie, without a copy that nobody would overwrite. `nil` for
    /// anything else: neither number nor expiry needs an escape.
    private static func members(of bytes: [UInt8]) -> [String: Range<Int>]? {
        var place = 0
        func skipSpace() { while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 } }
        func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            return true
        }
        func text() -> Range<Int>? {
            guard take(UInt8(ascii: "\"")) else { return nil }
            let start = place
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                guard bytes[place] != UInt8(ascii: "\\"), (0x20...0x7e).contains(bytes[place]) else { return nil }
                place += 1
            }
            guard place < bytes.count else { return nil }
            place += 1
            return start..<place - 1
        }
        var members: [String: Range<Int>] = [:]
        guard take(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let key = text(), take(UInt8(ascii: ":")), let value = text(),
                members.updateValue(value, forKey: String(decoding: bytes[key], as: UTF8.self)) == nil
            else { return nil }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { return nil }
        skipSpace()
        return place == bytes.count ? members : nil
    }

    private static var unreadable: ProvisioningError {
        ProvisioningError(code: .accountUnreadable, reason: "the encrypted account does not open, or holds no card number and expiry")
    }
}
