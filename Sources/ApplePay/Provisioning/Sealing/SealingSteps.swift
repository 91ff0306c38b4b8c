package import PaymentCrypto

/// The intermediate values of one sealing or opening, in the order in which they came about: what an engineer lays beside the values of his
/// own code, with test keys. Keys and card data are among them, so nothing keeps them unless it is asked to (``off``), and no description
/// shows them.
///
/// What is recorded is what is used: the values are handed over by the code that seals and opens, and not worked out again.
package struct SealingSteps: Sendable {
    /// A value, by the name that expected values are given under too (provisioning.md#ecc_v2, provisioning.md#rsa_v2).
    package enum Name: String, Sendable, CaseIterable {
        /// The scalar, 32 bytes. The side that opens does not know it.
        case ephemeralPrivateKey
        /// The uncompressed point, 65 bytes from 04 on.
        case ephemeralPublicKey
        /// The leaf's point; for RSA its SubjectPublicKeyInfo.
        case leafPublicKey
        /// Z: the X coordinate, 32 bytes with leading zeros.
        case sharedSecret
        /// What follows Z in the hash: algorithm, party U and party V.
        case otherInfo
        /// What is hashed: counter, Z and other information.
        case kdfInput
        /// Of AES: derived for ECC_V2, drawn for RSA_V2.
        case aesKey
        /// Of AES-GCM.
        case nonce
        case plaintext
        case ciphertext
        /// Of AES-GCM, 16 bytes.
        case tag
        /// Ciphertext and tag.
        case encryptedPassData
        /// RSA_V2's AES key under the leaf. Its padding is random: two sealings of one key differ.
        case wrappedKey
    }

    /// One value.
    package struct Step: Sendable {
        package let name: Name
        package let value: SecretBytes
    }

    package private(set) var all: [Step] = []
    private let isKept: Bool

    /// Keeps every value.
    package init() { isKept = true }

    private init(isKept: Bool) { self.isKept = isKept }

    /// Keeps nothing: what sealing and opening in earnest are given.
    package static let off = Self(isKept: false)

    package subscript(name: Name) -> SecretBytes? { all.first { $0.name == name }?.value }

    mutating func record(_ name: Name, _ value: @autoclosure () -> SecretBytes) {
        if isKept { all.append(Step(name: name, value: value())) }
    }

    /// Ciphertext, tag, and both as they are sent.
    mutating func record(sealed bytes: [UInt8]) {
        record(.ciphertext, SecretBytes([UInt8](bytes.dropLast(16))))
        record(.tag, SecretBytes([UInt8](bytes.suffix(16))))
        record(.encryptedPassData, SecretBytes(bytes))
    }
}
