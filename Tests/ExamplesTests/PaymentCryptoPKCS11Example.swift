import PaymentCrypto
import PaymentCryptoPKCS11
import Testing

/// Needs SoftHSM: where it is not installed, only that is tested.
struct PaymentCryptoPKCS11Example {
    // Example
    /// Encrypts with Visa's zone key and signs with Mastercard's key, both on the token. `module` is the vendor's library.
    func protect(
        _ blocks: [UInt8], module: String, label: String, pinFile: String
    ) async throws -> (encrypted: [UInt8], signature: [UInt8]) {
        let pin = try SecretPIN(file: pinFile)
        let token = try await PKCS11Token(.init(module: module, label: label, pin: pin))
        let keys = PKCS11KeyStore(token: token)

        let zoneKey = try await keys.tripleDESKey("405551.1")
        let encrypted = try await zoneKey.encrypt(blocks)
        let signer = try await keys.signer("mastercard-tav-1")
        let signature = try await signer.signature(over: SecretBytes(blocks), algorithm: .rsaPKCS1SHA256)

        await token.close()
        return (encrypted, signature)
    }
    // End

    @Test(.enabled(if: ExampleToken.isInstalled, "SoftHSM is not installed")) func example() async throws {
        let token = try await ExampleToken(zoneKey: Array(1...16))
        let blocks: [UInt8] = Array(0..<16)
        let (encrypted, signature) = try await protect(blocks, module: token.module, label: token.label, pinFile: token.pinFile)
        let expected = try Hexadecimal.decode("38b35be8ea505942aae1231e2aa08983")
        #expect(encrypted == expected)
        #expect(token.publicKey.isValidSignature(signature, over: blocks, algorithm: .rsaPKCS1SHA256))
    }

    @Test func whatIsNotThereIsUnavailable() async throws {
        try await withExampleFolder { folder in
            await #expect(throws: PaymentCryptoError(code: .keyStoreUnavailable, reason: "")) {
                try await protect([], module: folder + "/module.so", label: "issuer", pinFile: folder + "/pin")
            }
        }
    }
}
