import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import PaymentCryptoPKCS11
import Testing

@Suite(.enabled(if: SoftToken.module != nil)) struct PKCS11KeyStoreTests {
    private static let zoneKey: [UInt8] = (0..<16).map { UInt8($0 * 17 ^ 0x5A) }

    @Test func encryptsAsOpenSSLDoes() async throws {
        let token = try SoftToken.take()
        let opened = try await PKCS11Token(token.configuration())
        let store = PKCS11KeyStore(token: opened)
        try await store.importTripleDESKey("405551.1", SecretBytes(Self.zoneKey))
        let (held, local) = (try await store.tripleDESKey("405551.1"), try TripleDES(key: Self.zoneKey))
        for length in [8, 40, 64] {
            let clear = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try await held.encrypt(clear) == local.encrypt(clear, mode: .cbc([UInt8](repeating: 0, count: 8))))
        }
        await #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) { try await held.encrypt([1, 2, 3]) }
        await #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try await store.tripleDESKey("405551.2") }
        await #expect(throws: PaymentCryptoError(code: .duplicateKey, reason: "")) {
            try await store.importTripleDESKey("405551.1", SecretBytes(Self.zoneKey))
        }
        await opened.close()
    }

    @Test func signsSoThatThePublicKeyVerifies() async throws {
        let token = try SoftToken.take()
        let opened = try await PKCS11Token(token.configuration())
        let store = PKCS11KeyStore(token: opened)
        let signer = try await store.signer(KeyID(SoftToken.rsaLabel))
        #expect(signer.publicKey == token.rsaKey.publicKey)
        let message = Array("5204000000000003|2026-11-21T08:30:00Z".utf8)
        let signature = try await signer.signature(over: SecretBytes(message), algorithm: .rsaPKCS1SHA256)
        #expect(token.rsaKey.publicKey.isValidSignature(signature, over: message, algorithm: .rsaPKCS1SHA256))
        #expect(!token.rsaKey.publicKey.isValidSignature(signature, over: message + [0], algorithm: .rsaPKCS1SHA256))
        await #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try await store.signer("no-such-key") }
        await #expect(throws: PaymentCryptoError(code: .unsupportedAlgorithm, reason: "")) {
            try await signer.signature(over: SecretBytes(message), algorithm: .ecdsaSHA256)
        }
        await opened.close()
    }

    @Test func manyCallersShareFewSessions() async throws {
        let token = try SoftToken.take()
        var configuration = try token.configuration()
        configuration.sessions = 3
        let opened = try await PKCS11Token(configuration)
        let store = PKCS11KeyStore(token: opened)
        try await store.importTripleDESKey("405551.7", SecretBytes(Self.zoneKey))
        let (key, signer) = (try await store.tripleDESKey("405551.7"), try await store.signer(KeyID(SoftToken.rsaLabel)))
        let local = try TripleDES(key: Self.zoneKey)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let clear = [UInt8](repeating: UInt8(number), count: 64)
                    if number.isMultiple(of: 10) {
                        let signature = try await signer.signature(over: SecretBytes(clear), algorithm: .rsaPKCS1SHA256)
                        return signer.publicKey.isValidSignature(signature, over: clear, algorithm: .rsaPKCS1SHA256)
                    }
                    return try await key.encrypt(clear) == local.encrypt(clear, mode: .cbc([UInt8](repeating: 0, count: 8)))
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        await opened.close()
    }

    @Test func aTokenThatIsTakenAwayIsSaidAndFoundAgainWhenItIsBack() async throws {
        let token = try SoftToken.take()
        let opened = try await PKCS11Token(token.configuration())
        let store = PKCS11KeyStore(token: opened)
        try await store.importTripleDESKey("405551.1", SecretBytes(Self.zoneKey))
        let key = try await store.tripleDESKey("405551.1")
        let block = [UInt8](repeating: 0, count: 8)
        let right = try await key.encrypt(block)
        try token.remove()
        let error = await #expect(throws: PaymentCryptoError.self) { try await key.encrypt(block) }
        #expect(error?.code == .keyStoreUnavailable || error?.code == .unknownKey, "\(String(describing: error))")
        try token.makeAnew()
        // Whoever works on other tokens of the module has to be between two calls, and the module is not restarted often.
        var isBack = false
        for _ in 0..<600 where !isBack {
            isBack = (try? await store.importTripleDESKey("405551.1", SecretBytes(Self.zoneKey))) != nil
            if !isBack { try await Task.sleep(for: .milliseconds(100)) }
        }
        #expect(isBack)
        #expect(try await key.encrypt(block) == right)
        await opened.close()
    }

    @Test func whoGivesUpIsLetGo() async throws {
        let token = try SoftToken.take()
        var configuration = try token.configuration()
        configuration.sessions = 1
        let opened = try await PKCS11Token(configuration)
        let store = PKCS11KeyStore(token: opened)
        try await store.importTripleDESKey("405551.8", SecretBytes(Self.zoneKey))
        let key = try await store.tripleDESKey("405551.8")
        let waiting = Task { try await key.encrypt([UInt8](repeating: 0, count: 64)) }
        waiting.cancel()
        // Either it was done before it was cancelled, or it says that it was given up; and the session goes on working.
        if case .failure(let error) = await waiting.result {
            #expect((error as? PaymentCryptoError)?.code == .keyStoreUnavailable)
        }
        #expect(try await key.encrypt([UInt8](repeating: 0, count: 8)).count == 8)
        await opened.close()
    }

    @Test func whatCannotBeUsedIsSaidAtOnce() async throws {
        try SoftToken.prepare()
        let module = try #require(SoftToken.module)
        let unavailable = PaymentCryptoError(code: .keyStoreUnavailable, reason: "")
        await #expect(throws: unavailable) {
            try await PKCS11Token(.init(module: "/nonexistent/module.so", label: "x", pin: SecretPIN(Secret("1234"))))
        }
        await #expect(throws: unavailable) {
            try await PKCS11Token(.init(module: module, label: "no such token", pin: SecretPIN(Secret("1234"))))
        }
    }

    @Test func pinsComeFromPrivateFiles() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pin")
        #expect(throws: PaymentCryptoError(code: .keyStoreUnavailable, reason: "")) { try SecretPIN(file: path) }
        try "1234\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: PaymentCryptoError(code: .keyStoreExposed, reason: "")) { try SecretPIN(file: path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(!"\(try SecretPIN(file: path))".contains("1234"))
    }
}
