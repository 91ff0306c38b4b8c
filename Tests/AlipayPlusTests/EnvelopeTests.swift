import AlipayPlus
import AlipayPlusValues
import Foundation
import PaymentCrypto
import Testing

@Suite struct EnvelopeTests {
    private func refused(_ code: AlipayPlusError.Code) -> AlipayPlusError { AlipayPlusError(code: code, reason: "") }
    private static let time = "2026-03-01T10:15:30+08:00"

    @Test(arguments: [
        ("", AlipayPlusError.Code.missingSignature), ("algorithm=RSA256,keyVersion=1", .missingSignature),
        ("algorithm=RSA256,keyVersion=1,signature=", .missingSignature),
        ("algorithm=RSA,keyVersion=1,signature=QQ==", .unsupportedAlgorithm),
        ("algorithm=rsa256,keyVersion=1,signature=QQ==", .unsupportedAlgorithm), ("keyVersion=1,signature=QQ==", .unsupportedAlgorithm),
        ("algorithm=RSASSA-PSS,keyVersion=1,signature=QQ==", .unsupportedAlgorithm),
        ("algorithm=RSA256,keyVersion=x,signature=QQ==", .malformedSignature),
        ("algorithm=RSA256,keyVersion=01,signature=QQ==", .malformedSignature),
        ("algorithm=RSA256,keyVersion=-1,signature=QQ==", .malformedSignature),
        ("algorithm=RSA256,keyVersion=1,signature=Q*==", .malformedSignature),
        ("algorithm=RSA256,keyVersion=1,signature=Q Q=", .malformedSignature),
        ("algorithm=RSA256,keyVersion=1,signature=QQ%253D%253D", .malformedSignature),
        ("algorithm=RSA256,keyVersion=1,signature=%4", .malformedSignature),
        ("algorithm=RSA256,algorithm=RSA256,signature=QQ==", .malformedSignature),
        ("algorithm=RSA256,rubbish,signature=QQ==", .malformedSignature),
    ])
    func signatureHeaderThatIsNoneIsRefused(header: String, code: AlipayPlusError.Code) {
        #expect(throws: refused(code)) { try AlipayPlusSignature(header: header) }
    }

    @Test(arguments: ["+/8=", "%2B%2F8%3D", "-_8", "-_8=", "%2b%2f8%3d", "+/8"]) func everyFormOfBase64IsTaken(text: String) throws {
        let signature = try AlipayPlusSignature(header: "algorithm=RSA256 , keyVersion=2,  signature=\(text)")
        #expect(signature.bytes == [0xFB, 0xFF])
        #expect(signature.description == "algorithm=RSA256,keyVersion=2,signature=%2B%2F8%3D")
        #expect(try AlipayPlusSignature(header: "algorithm=RSA256,signature=\(text)").keyVersion == 1)
    }

    @Test(arguments: [
        ("", "c", time, AlipayPlusError.Code.malformedTarget), ("pay", "c", time, .malformedTarget),
        ("https://host", "c", time, .malformedTarget),
        ("ftp://host/a", "c", time, .malformedTarget), ("/a b", "c", time, .malformedTarget), ("/a", "", time, .missingClientID),
        ("/a", "c.d", time, .missingClientID), ("/a", String(repeating: "c", count: 65), time, .missingClientID),
        ("/a", "c", "", .malformedTime), ("/a", "c", "yesterday", .malformedTime),
    ])
    func messageWithoutItsPartsIsRefused(target: String, client: String, time: String, code: AlipayPlusError.Code) {
        #expect(throws: refused(code)) { try AlipayPlusMessage(target: target, clientID: client, timeText: time, body: []) }
    }

    @Test func whatOneSideSignsTheOtherVerifiesAndRotationRetiresOldVersions() throws {
        let (old, new) = (try RSAPrivateKey(bits: 2048), try RSAPrivateKey(bits: 2048))
        var keys = try AlipayPlusKeyVersions([1: old.publicKey])
        try keys.register(new.publicKey, version: 2)
        #expect(keys.versions == [1, 2])
        func sent(_ key: RSAPrivateKey, _ version: Int) throws -> UnverifiedAlipayPlusMessage {
            let time = try AlipayPlusTime(Self.time)
            let signed = try SignedAlipayPlusMessage(
                .answer, target: "/a/pay", clientID: "c1", time: time, body: Array("{}".utf8), by: key, keyVersion: version)
            let headers = Dictionary(uniqueKeysWithValues: signed.headers.map { ($0.name, $0.value) })
            #expect(headers.keys.allSatisfy { $0 == $0.lowercased() })
            return try UnverifiedAlipayPlusMessage(.answer, target: "/a/pay", body: signed.body) { headers[$0] }
        }
        #expect(try sent(old, 1).verified(by: keys).keyVersion == 1)
        #expect(try sent(new, 2).verified(by: keys).clientID == "c1")
        #expect(throws: refused(.signatureMismatch)) { try sent(new, 1).verified(by: keys) }
        #expect(throws: refused(.unknownKeyVersion)) { try sent(old, 3).verified(by: keys) }
        try keys.retire(version: 1, at: Date(timeIntervalSince1970: 0))
        #expect(keys.versions == [2])
        #expect(throws: refused(.unknownKeyVersion)) { try sent(old, 1).verified(by: keys) }
        #expect(throws: refused(.unknownKeyVersion)) { try keys.retire(version: 9, at: Date(timeIntervalSince1970: 0)) }
        #expect(throws: refused(.unusableKey)) { try keys.register(new.publicKey, version: 2) }
        var generator = SystemRandomNumberGenerator()
        let elliptic = try P256PrivateKey(using: &generator)
        #expect(throws: refused(.unusableKey)) { try AlipayPlusKeyVersions([1: elliptic.publicKey]) }
        #expect(throws: refused(.unusableKey)) { try sent(old, 1).message.signed(by: elliptic) }
        let short = UnverifiedAlipayPlusMessage(try sent(new, 2).message, signature: AlipayPlusSignature(keyVersion: 2, bytes: [1]))
        #expect(throws: refused(.malformedSignature)) { try short.verified(by: keys) }
    }

    @Test func sha1IsRefusedWhateverTheHeaderSays() throws {
        let key = try LegacyRSAPrivateKey(bits: 2048)
        let message = try AlipayPlusMessage(target: "/a", clientID: "c", timeText: Self.time, body: [])
        let weak = try key.signature(over: message.stringToSign, hash: .sha1)
        let keys = try AlipayPlusKeyVersions([1: PublicKey(subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo)])
        #expect(throws: refused(.signatureMismatch)) {
            try UnverifiedAlipayPlusMessage(message, signature: AlipayPlusSignature(bytes: weak)).verified(by: keys)
        }
    }

    @Test func headersThatAreMissingAreNamed() {
        func read(_ headers: [String: String]) throws {
            _ = try UnverifiedAlipayPlusMessage(.request, target: "/a", body: []) { headers[$0] }
        }
        #expect(throws: refused(.malformedTime)) { try read([:]) }
        #expect(throws: refused(.missingSignature)) { try read(["request-time": Self.time]) }
        #expect(throws: refused(.missingClientID)) {
            try read(["request-time": Self.time, "signature": "algorithm=RSA256,keyVersion=1,signature=QQ=="])
        }
    }

    @Test(arguments: [(-301, false), (-300, true), (0, true), (300, true), (301, false)])
    func timeIsFreshWithinTheTolerance(distance: Int64, isFresh: Bool) throws {
        let key = try RSAPrivateKey(bits: 2048)
        let time = try AlipayPlusTime(Self.time)
        let message = try AlipayPlusMessage(target: "/a", clientID: "c", time: time, body: [])
        let verified = try UnverifiedAlipayPlusMessage(message, signature: message.signed(by: key))
            .verified(by: AlipayPlusKeyVersions([1: key.publicKey]))
        if isFresh {
            try verified.requireFresh(at: time.adding(seconds: distance))
        } else {
            #expect(throws: refused(.staleTime)) { try verified.requireFresh(at: time.adding(seconds: distance)) }
        }
    }
}
