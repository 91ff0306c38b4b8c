import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@Suite(.enabled(if: WycheproofFolder.root != nil))
struct WycheproofTests {
    private func judge(_ tally: WycheproofTally) {
        print("[wycheproof] \(tally.table)")
        #expect(tally.wrong.isEmpty)
        #expect(tally.counted == tally.total)
        #expect(tally.validAccepted > 0)
        #expect(tally.invalidRefused > 0)
    }

    private struct GCMGroup: Decodable {
        struct Case: Decodable {
            var tcId: Int
            var comment, key, iv, aad, msg, ct, tag: String
            var result: WycheproofResult
        }
        var ivSize, keySize, tagSize: Int
        var tests: [Case]
    }

    @Test func aesGCM() throws {
        let name = "Cipher/wycheproof/aes_gcm_test.json"
        let file: WycheproofFile<GCMGroup> = try WycheproofFolder.load(name)
        var tally = WycheproofTally(name, total: file.numberOfTests)
        for group in file.testGroups {
            for test in group.tests {
                guard group.tagSize == 128 else {
                    tally.leaveOut("a tag that is not of 128 bits")
                    continue
                }
                guard group.keySize != 192 else {
                    tally.leaveOut("a key of 192 bits")
                    continue
                }
                let cipher = try AESGCM(key: Hexadecimal.decode(test.key))
                let nonce = try Hexadecimal.decode(test.iv)
                guard group.ivSize >= 96 else {
                    #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) {
                        try cipher.seal([UInt8](), nonce: nonce)
                    }
                    tally.leaveOut("a nonce under twelve bytes")
                    continue
                }
                let aad = try Hexadecimal.decode(test.aad)
                let message = try Hexadecimal.decode(test.msg)
                let sealed = try Hexadecimal.decode(test.ct + test.tag)
                let opened = try? cipher.open(sealed, nonce: nonce, authenticating: aad)
                let resealed = try? cipher.seal(message, nonce: nonce, authenticating: aad)
                // What opens to other bytes than those of an invalid case has opened as well.
                let isAccepted = test.result == .invalid ? opened != nil : opened == message && resealed == sealed
                tally.record(test.tcId, test.result, isAccepted: isAccepted, comment: test.comment)
            }
        }
        judge(tally)
    }

    private struct ECDHGroup: Decodable {
        struct Case: Decodable {
            var tcId: Int
            var comment: String
            var flags: [String]
            var `public`, `private`, shared: String
            var result: WycheproofResult
        }
        var tests: [Case]
    }

    @Test(arguments: ["Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json", "Protocol/wycheproof/ecdh_secp256r1_test.json"])
    func ecdhP256(_ name: String) throws {
        let file: WycheproofFile<ECDHGroup> = try WycheproofFolder.load(name)
        let isPoint = name.contains("ecpoint")
        var tally = WycheproofTally(name, total: file.numberOfTests)
        for test in file.testGroups.flatMap(\.tests) {
            let point = try Hexadecimal.decode(test.public)
            let key = try P256PrivateKey(scalar: scalar(test.private))
            let secret = isPoint ? try? key.sharedSecret(x963: point) : try? key.sharedSecret(subjectPublicKeyInfo: point)
            let isAccepted = secret.map { Hexadecimal.encode($0) == test.shared } ?? false
            if secret != nil, !isAccepted {
                tally.wrong.append("case \(test.tcId) gives another secret: \(test.comment)")
                continue
            }
            tally.record(
                test.tcId, test.result, isAccepted: isAccepted, comment: test.comment,
                why: test.flags.joined(separator: ", ") + (isPoint ? ", uncompressed points only" : ", one 91-byte form only"))
        }
        judge(tally)
    }

    /// Scalars are written as signed numbers, with or without leading zeros.
    private func scalar(_ hex: String) throws -> [UInt8] {
        let bytes = try Hexadecimal.decode(hex).drop { $0 == 0 }
        return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }

    private struct ECDSAGroup: Decodable {
        struct Case: Decodable {
            var tcId: Int
            var comment: String
            var flags: [String]
            var msg, sig: String
            var result: WycheproofResult
        }
        var publicKeyDer: String
        var sha: String
        var tests: [Case]
    }

    @Test(arguments: [
        "ecdsa_secp256r1_sha256_test.json", "ecdsa_secp256r1_sha256_p1363_test.json", "ecdsa_secp384r1_sha256_test.json",
        "ecdsa_secp384r1_sha384_test.json", "ecdsa_secp384r1_sha384_p1363_test.json",
    ])
    func ecdsa(_ short: String) throws {
        let name = "Signature/wycheproof/" + short
        let file: WycheproofFile<ECDSAGroup> = try WycheproofFolder.load(name)
        var tally = WycheproofTally(name, total: file.numberOfTests)
        for group in file.testGroups {
            let key = try PublicKey(subjectPublicKeyInfo: Hexadecimal.decode(group.publicKeyDer))
            let algorithm = try #require(["SHA-256": SignatureAlgorithm.ecdsaSHA256, "SHA-384": .ecdsaSHA384][group.sha])
            for test in group.tests {
                let message = try Hexadecimal.decode(test.msg)
                let signature = try Hexadecimal.decode(test.sig)
                let isAccepted =
                    name.contains("p1363")
                    ? key.isValidSignature(pair: signature, over: message, algorithm: algorithm)
                    : key.isValidSignature(signature, over: message, algorithm: algorithm)
                tally.record(test.tcId, test.result, isAccepted: isAccepted, comment: test.comment, why: test.flags.joined(separator: ", "))
            }
        }
        judge(tally)
    }

    private struct RSAGroup: Decodable {
        struct Case: Decodable {
            var tcId: Int
            var comment: String
            var flags: [String]
            var msg, sig: String
            var result: WycheproofResult
        }
        var publicKeyDer: String
        var sha: String
        var tests: [Case]
    }

    @Test(arguments: ["rsa_signature_2048_sha256_test.json", "rsa_signature_2048_sha384_test.json", "rsa_signature_2048_sha512_test.json"])
    func rsaPKCS1(_ short: String) throws {
        let name = "Signature/wycheproof/" + short
        let file: WycheproofFile<RSAGroup> = try WycheproofFolder.load(name)
        var tally = WycheproofTally(name, total: file.numberOfTests)
        let algorithms: [String: SignatureAlgorithm] = ["SHA-256": .rsaPKCS1SHA256, "SHA-384": .rsaPKCS1SHA384, "SHA-512": .rsaPKCS1SHA512]
        for group in file.testGroups {
            let key = try PublicKey(subjectPublicKeyInfo: Hexadecimal.decode(group.publicKeyDer))
            let algorithm = try #require(algorithms[group.sha])
            for test in group.tests {
                let isAccepted = key.isValidSignature(
                    try Hexadecimal.decode(test.sig), over: try Hexadecimal.decode(test.msg), algorithm: algorithm)
                tally.record(
                    test.tcId, test.result, isAccepted: isAccepted, comment: test.comment,
                    why: test.flags.joined(separator: ", ") + ": a DigestInfo has exactly one encoding")
            }
        }
        judge(tally)
    }

    private struct OAEPGroup: Decodable {
        struct Case: Decodable {
            var tcId: Int
            var comment, msg, ct, label: String
            var result: WycheproofResult
        }
        var privateKeyPkcs8: String
        var sha, mgfSha: String
        var tests: [Case]
    }

    @Test(arguments: [
        "rsa_oaep_2048_sha256_mgf1sha256_test.json", "rsa_oaep_2048_sha256_mgf1sha1_test.json",
        "rsa_oaep_2048_sha1_mgf1sha1_test.json", "rsa_oaep_2048_sha512_mgf1sha512_test.json",
    ])
    func rsaOAEP(_ short: String) throws {
        let name = "Cipher/wycheproof/" + short
        let file: WycheproofFile<OAEPGroup> = try WycheproofFolder.load(name)
        var tally = WycheproofTally(name, total: file.numberOfTests)
        let hashes: [String: OpenSSLHash] = ["SHA-1": .sha1, "SHA-256": .sha256, "SHA-512": .sha512]
        for group in file.testGroups {
            let der = try Hexadecimal.decode(group.privateKeyPkcs8)
            let key = try RSAPrivateKey(der: der)
            let other = try OpenSSLRSAKey(der: der)
            let hash = try #require(hashes[group.sha])
            let maskHash = try #require(hashes[group.mgfSha])
            for test in group.tests {
                guard test.label.isEmpty else {
                    tally.leaveOut("a label: the wallet's is empty")
                    continue
                }
                let wrapped = try Hexadecimal.decode(test.ct)
                let opened = try? other.openOAEP(wrapped, hash: hash, maskHash: maskHash)
                if hash == .sha256, maskHash == .sha256 { #expect((try? key.openOAEPSHA256(wrapped)) == opened) }
                let isMessage = opened.map { Hexadecimal.encode($0) == test.msg } ?? false
                tally.record(
                    test.tcId, test.result, isAccepted: test.result == .invalid ? opened != nil : isMessage, comment: test.comment)
            }
        }
        judge(tally)
    }
}
