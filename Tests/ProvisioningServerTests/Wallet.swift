import ApplePay
import ApplePayForging
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization
import Testing

@testable import ProvisioningServer

/// The wallet's broker and the networks in a test: makes challenges, opens both layers.
struct Wallet: Sendable {
    static let secureElement = String(repeating: "0A", count: 24)
    static let zoneKey: [UInt8] = (1...16).map { UInt8($0 * 11) }

    let authority: ProvisioningAuthority
    let tavKey: RSAPrivateKey

    /// RSA keys take long to make: one wallet serves all tests.
    static let shared = Result<Wallet, any Error> {
        var generator = SeededGenerator(seed: 77, label: "wallet")
        let authority = try ProvisioningAuthority(
            at: HandClock().now().date, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
        return Wallet(authority: authority, tavKey: try RSAPrivateKey(bits: 2048))
    }

    func keys(visa: KeyID = "405551.1", mastercard: KeyID = "tav-1") throws -> NetworkKeys {
        var keys = NetworkKeys()
        try keys.visa.add(visa, OpenSSLTripleDESKey(Self.zoneKey))
        try keys.mastercard.add(mastercard, LocalMessageSigner(tavKey))
        return keys
    }

    func challenge(_ seed: UInt64) throws -> ProvisioningChallenge {
        var generator = SeededGenerator(seed: seed, label: "challenge")
        return try authority.challenge(secureElement: Self.secureElement, account: "mei@example.com", using: &generator)
    }

    /// What an app sends on.
    func body(
        _ challenge: ProvisioningChallenge, certificates: [[UInt8]]? = nil, scheme: EncryptionScheme = .eccV2, encoding: String = "hex"
    ) -> String {
        let texts = (certificates ?? authority.certificates(scheme: scheme)).map { "\"\(StrictBase64.encode($0))\"" }
        func text(_ bytes: [UInt8]) -> String { encoding == "hex" ? Hexadecimal.encode(bytes) : StrictBase64.encode(bytes) }
        return """
            {"certificates":[\(texts.joined(separator: ","))],"nonce":"\(text(challenge.nonce))",\
            "nonceSignature":"\(text(challenge.nonceSignature))","encoding":"\(encoding)"}
            """
    }

    func open(_ answer: Bank.Answer) throws -> PassData {
        let sealed = try StrictBase64.decode(try #require(answer["encryptedPassData"]))
        if let point = answer["ephemeralPublicKey"] {
            return try PassData(
                json: PassDataOpener(key: authority.leafKey).open(
                    encryptedPassData: sealed, ephemeralPublicKey: StrictBase64.decode(point)))
        }
        let wrapped = try StrictBase64.decode(try #require(answer["wrappedKey"]))
        return try PassData(
            json: RSAPassDataOpener(key: try #require(authority.rsaLeafKey)).open(encryptedPassData: sealed, wrappedKey: wrapped))
    }
}
