import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import PaymentCryptoOpenSSL
import Testing

@testable import ApplePay
@testable import ApplePayDiagnosis

/// One known mistake, put into an otherwise good case, and the finding that must name it.
struct ProvisioningDoctorFault: Sendable, CustomTestStringConvertible {
    /// Faults of one part cannot be put in twice.
    enum Part: Sendable { case chain, challenge, envelope, payload, inner, activation, request, setup, run }

    typealias Change = @Sendable (inout ProvisioningDoctorCase) async throws -> Void

    var code: String
    var part: Part
    var name: String
    var network: ProvisioningDoctorCase.Network
    var flaws: Set<ProvisioningAuthority.Flaw>
    /// What the evidence must hold, by its name.
    var evidence: (name: String, value: String)?
    var put: Change

    init(
        _ code: String, _ part: Part, _ name: String, network: ProvisioningDoctorCase.Network = .visa,
        flaws: Set<ProvisioningAuthority.Flaw> = [], evidence: (String, String)? = nil, put: @escaping Change = { _ in }
    ) {
        self.code = "provisioning.\(code)"
        self.part = part
        self.name = name
        self.network = network
        self.flaws = flaws
        self.evidence = evidence.map { (name: $0.0, value: $0.1) }
        self.put = put
    }

    var testDescription: String { name }

    static let all = chain + challenge + envelope + payload + inner + activation + setup + run

    static let chain: [Self] = [
        Self(
            "chain.unknown-critical-extension", .chain, "unknown critical extension", flaws: [.leafWithUnknownCriticalExtension],
            evidence: ("rule", "unknown-critical-extension")),
        Self("chain.intermediate-missing", .chain, "sub-CA left out", evidence: ("certificates", "1")) {
            $0.callback["certificates"] = .array(Array(($0.callback["certificates"]?.array ?? []).prefix(1)))
        },
        Self("chain.certificate-unreadable", .chain, "certificate cut off", evidence: ("rule", "certificate-unreadable")) {
            let all = $0.authority.certificates()
            $0.callback["certificates"] = [ProvisioningDoctorCase.encode(all[0]), ProvisioningDoctorCase.encode(Array(all[1].dropLast(9)))]
        },
        Self(
            "chain.certificate-unreadable", .chain, "certificate no base64", evidence: ("reason", "certificate 2 is neither base64 nor PEM")
        ) {
            $0.callback["certificates"] = [ProvisioningDoctorCase.encode($0.authority.leaf.der), "MIIB!"]
        },
        Self("chain.order", .chain, "reversed order") {
            $0.callback["certificates"] = .array(($0.callback["certificates"]?.array ?? []).reversed())
        },
        Self("chain.certificate-expired", .chain, "expired leaf", flaws: [.leafExpired]),
        Self("chain.test-leaf", .chain, "test leaf, production anchor") { $0.handsOverRoot = false },
        Self("chain.leaf-count", .chain, "no leaf", flaws: [.leafWithoutMarker]),
        Self("chain.bad-certificate-signature", .chain, "forged leaf", flaws: [.rogueIntermediate]),
        Self("chain.intermediate-name", .chain, "sub-CA of another name", flaws: [.intermediateOtherName]),
        Self("chain.key-encipherment-missing", .chain, "leaf may not encipher", flaws: [.leafMayNotEncipher]),
        Self("chain.certificate-not-yet-valid", .chain, "leaf of tomorrow", flaws: [.leafNotYetValid]),
        Self("chain.issuer-not-authority", .chain, "sub-CA without the right", flaws: [.intermediateNotAuthority]),
        Self("chain.leaf-is-authority", .chain, "leaf as an authority", flaws: [.leafIsAuthority]),
        Self("chain.key-usage-forbids", .chain, "sub-CA may not sign", flaws: [.intermediateMayNotSign]),
        Self("chain.unexpected-certificate", .chain, "a stranger in the list", evidence: ("rule", "unexpected-certificate")) { item in
            let stranger = try Self.certificate("Stranger", for: item.authority.nonceKey.publicKey, by: nil, &item)
            item.callback["certificates"] = .array(
                (item.callback["certificates"]?.array ?? []) + [ProvisioningDoctorCase.encode(stranger.der)])
        },
        Self(
            "chain.issuer-mismatch", .chain, "sub-CA of another chain", evidence: ("leaf's issuer", ProvisioningAuthority.intermediateName)
        ) {
            item in
            let other = try ProvisioningAuthority(at: ProvisioningDoctorCase.now, flaws: [.intermediateOtherName], using: &item.generator)
            item.callback["certificates"] = [
                ProvisioningDoctorCase.encode(item.authority.leaf.der), ProvisioningDoctorCase.encode(other.intermediate.der),
            ]
        },
        Self("chain.untrusted-root", .chain, "another root pinned") { item in
            let other = try P256PrivateKey(using: &item.generator)
            item.handsOverRoot = false
            item.others.append(
                Artifact(
                    name: "other-root.pem",
                    bytes: Array(try Self.certificate("Other Root", for: other.publicKey, by: other, &item).pem.utf8)))
        },
        Self("chain.chain-length", .chain, "two sub-CAs", evidence: ("rule", "chain-length")) { item in
            // The sub-CA's name and key, once more under an authority that the root never saw.
            let (upper, root) = (try P256PrivateKey(using: &item.generator), try P384PrivateKey(using: &item.generator))
            let rootCertificate = try Self.certificate("Long Root", for: root.publicKey, by: root, &item)
            let upperCertificate = try Self.certificate("Upper CA", for: upper.publicKey, by: root, of: "Long Root", &item)
            let lowerKey = try P256PrivateKey(using: &item.generator)
            let lower = try Self.certificate(
                ProvisioningAuthority.intermediateName, for: lowerKey.publicKey, by: upper, of: "Upper CA", &item)
            let template = CertificateTemplate(
                serialNumber: SerialNumber(magnitude: [1, 9]), subject: Self.name("leaf"), notBefore: ProvisioningDoctorCase.now - 1_000,
                notAfter: ProvisioningDoctorCase.now + 1_000, publicKey: item.leafKey.publicKey,
                keyUsage: [.keyEncipherment, .keyAgreement],
                extensions: [.marker(.provisioningEncryption, isCritical: true)])
            let leaf = try CertificateIssuer(
                name: Self.name(ProvisioningAuthority.intermediateName), signer: lowerKey, algorithm: .ecdsaSHA256
            ).issue(template)
            item.handsOverRoot = false
            item.others.append(Artifact(name: "long-root.pem", bytes: Array(rootCertificate.pem.utf8)))
            item.callback["certificates"] = .array([leaf, lower, upperCertificate].map { ProvisioningDoctorCase.encode($0.der) })
        },
    ]

    private static func name(_ text: String) -> CertificateName { CertificateName([.init(type: .commonName, value: text)]) }

    /// An authority's certificate; without a signer an end entity's, signed by a key of nobody's.
    private static func certificate(
        _ subject: String, for key: PublicKey, by signer: (any MessageSigner)?, of issuer: String? = nil,
        _ item: inout ProvisioningDoctorCase
    ) throws -> ParsedCertificate {
        let day: TimeInterval = 86_400
        let template = CertificateTemplate(
            serialNumber: SerialNumber(magnitude: [1, UInt8.random(in: .min ... .max, using: &item.generator)]), subject: name(subject),
            notBefore: ProvisioningDoctorCase.now - 100 * day, notAfter: ProvisioningDoctorCase.now + 100 * day, publicKey: key,
            isCertificateAuthority: signer != nil,
            keyUsage: signer == nil ? .digitalSignature : [.certificateSigning, .revocationListSigning])
        let issuing: any MessageSigner = if let signer { signer } else { try P256PrivateKey(using: &item.generator) }
        return try CertificateIssuer(name: name(issuer ?? (signer == nil ? "Nobody" : subject)), signer: issuing, algorithm: .ecdsaSHA256)
            .issue(template)
    }

    private static func hexAsBase64(_ item: inout ProvisioningDoctorCase) throws {
        item.payload["nonce"] = .string(Hexadecimal.encode(try StrictBase64.decode(item.challenge.nonceText)))
    }

    static let challenge: [Self] = [
        Self("nonce-form", .challenge, "callback hex promised as base64", evidence: ("bytes", "6")) { $0.callback["encoding"] = "base64" },
        Self("nonce-form", .challenge, "payload nonce of 6 bytes", evidence: ("bytes", "6"), put: { try hexAsBase64(&$0) }),
        Self("nonce-form", .challenge, "payload nonce is hex of hex", evidence: ("bytes", "8")) {
            $0.payload["nonce"] = .string(Hexadecimal.encode(Array($0.challenge.nonceText.utf8)))
        },
        Self("signature-through-text", .challenge, "signature widened by UTF-8", evidence: ("due", "81")) {
            // A byte of 80 or more is certain in 81 random ones.
            let text = String(String.UnicodeScalarView($0.challenge.nonceSignature.map { Unicode.Scalar($0) }))
            $0.payload["nonceSignature"] = .string(Hexadecimal.encode(Array(text.utf8)))
        },
        Self("signature-through-text", .challenge, "bytes replaced in a text", evidence: ("due", "81")) {
            $0.payload["nonceSignature"] = .string(
                Hexadecimal.encode(Array(String(decoding: [UInt8(0xC3), 0xA9, 0xFF] + $0.challenge.nonceSignature, as: UTF8.self).utf8)))
        },
        Self("signature-form", .challenge, "signature cut off", evidence: ("bytes", "80")) {
            $0.payload["nonceSignature"] = .string(Hexadecimal.encode(Array($0.challenge.nonceSignature.dropLast())))
        },
        Self("signature-form", .challenge, "signature is hex of hex", evidence: ("bytes", "162")) {
            $0.payload["nonceSignature"] = .string(Hexadecimal.encode(Array($0.challenge.nonceSignatureText.utf8)))
        },
        Self("challenge-mismatch", .challenge, "stale session", evidence: ("nonce of", "none")) {
            $0.challenge = try $0.authority.challenge(secureElement: "04AA", account: "a", using: &$0.generator)
            try await $0.prepare()
        },
        Self("challenge-mismatch", .challenge, "two callbacks mixed", evidence: ("signature of", "other.json")) {
            let other = try $0.authority.challenge(secureElement: "04AA", account: "a", using: &$0.generator)
            var callback = $0.callback
            callback["nonce"] = .string(other.nonceText)
            callback["nonceSignature"] = .string(other.nonceSignatureText)
            $0.others.append(Artifact(name: "other.json", bytes: JSONWriter.write(callback)))
            $0.payload["nonceSignature"] = .string(other.nonceSignatureText)
        },
    ]

    /// The broker's RSA leaf and RSA_V2 all through.
    static func useRSA(_ item: inout ProvisioningDoctorCase, _ parameters: RSAPassDataParameters = .init()) {
        item.rsaParameters = parameters
        item.configuration["encryptionScheme"] = "EV_RSA_v2"
        item.callback["certificates"] = .array(item.authority.certificates(scheme: .rsaV2).map { ProvisioningDoctorCase.encode($0) })
    }

    static let envelope: [Self] = [
        Self("ephemeral-key-form", .envelope, "key as SPKI", evidence: ("ephemeral key", "a SubjectPublicKeyInfo of 91 bytes")) {
            $0.sealing.point = { EphemeralKeyForm.subjectPublicKeyInfo($0) }
        },
        Self("ephemeral-key-form", .envelope, "key without 04", evidence: ("bytes", "64")) { $0.sealing.point = { Array($0.dropFirst()) } },
        Self("ephemeral-key-form", .envelope, "key compressed", evidence: ("bytes", "33")) {
            $0.sealing.point = { [2 + $0[64] % 2] + $0[1..<33] }
        },
        Self("ephemeral-key-form", .envelope, "key as hex letters", evidence: ("bytes", "130")) {
            $0.sealing.point = { Array(Hexadecimal.encode($0).utf8) }
        },
        Self("ephemeral-key-form", .envelope, "key as PEM", evidence: ("ephemeral key", "PEM text")) {
            $0.sealing.point = { Array(PEMText.Block(label: "PUBLIC KEY", bytes: EphemeralKeyForm.subjectPublicKeyInfo($0)).text.utf8) }
        },
        Self("ephemeral-key-form", .envelope, "private key for the public one", evidence: ("bytes", "97")) {
            $0.sealing.point = { $0 + [UInt8](repeating: 7, count: 32) }
        },
        Self("ephemeral-key-form", .envelope, "hybrid point", evidence: ("bytes", "65")) {
            $0.sealing.point = { [6 + $0[64] % 2] + $0[1...] }
        },
        Self("ephemeral-key-form", .envelope, "key off the curve", evidence: ("ephemeral key", "65 bytes off the curve")) {
            $0.sealing.point = { [4] + [UInt8](repeating: 1, count: 31) + $0[32...] }
        },
        Self("ephemeral-key-padding", .envelope, "X of 31 bytes", evidence: ("coordinate", "X has 31 bytes")) {
            $0.sealing.zeroAt = 1
            $0.sealing.point = { [4] + $0[2...] }
        },
        Self("ephemeral-key-padding", .envelope, "Y filled at its end", evidence: ("coordinate", "Y is filled at its end")) {
            $0.sealing.zeroAt = 33
            $0.sealing.point = { $0[..<33] + $0[34...] + [0] }
        },
        Self(
            "key-derivation", .envelope, "PartyV is the merchant's hash",
            evidence: ("opens when", "PartyVInfo is the merchant identifier's SHA-256")
        ) {
            $0.sealing.partyV = { _ in MerchantIdentifier.hash("merchant.example.bank") }
        },
        Self("key-derivation", .envelope, "no length byte", evidence: ("opens when", "the length byte 0d is missing")) {
            $0.sealing.lengthByte = []
        },
        Self("key-derivation", .envelope, "no counter", evidence: ("opens when", "the counter is missing")) { $0.sealing.counter = [] },
        Self("key-derivation", .envelope, "X9.63", evidence: ("opens when", "the counter stands after Z")) {
            $0.sealing.counterAfterSecret = true
        },
        Self("key-derivation", .envelope, "no PartyU", evidence: ("opens when", "PartyUInfo is missing")) { $0.sealing.partyU = [] },
        Self("key-derivation", .envelope, "no PartyV", evidence: ("opens when", "PartyVInfo is missing")) {
            $0.sealing.partyV = { _ in [] }
        },
        Self("nonce-of-16", .envelope, "nonce of 16 bytes", evidence: ("nonce, zero bytes", "16")) { $0.sealing.nonceLength = 16 },
        Self("tag-place", .envelope, "tag in front", evidence: ("tag", "in front of the ciphertext")) { $0.sealing.tagInFront = true },
        Self("tag-place", .envelope, "tag left out", evidence: ("tag", "left out")) { $0.sealing.tagLeftOut = true },
        Self("tag-place", .envelope, "tag apart", evidence: ("tag", "in a member of its own")) { $0.sealing.tagApart = true },
        Self("does-not-open", .envelope, "RSA_V2, a flipped bit", evidence: ("wrappedKey, bytes", "256")) {
            Self.useRSA(&$0)
            $0.request = { request in
                let data = request["encryptedPassData"]?.string.flatMap { try? StrictBase64.decode($0) } ?? []
                request["encryptedPassData"] = ProvisioningDoctorCase.encode([data[0] ^ 1] + data.dropFirst())
            }
        },
        Self("text-in-data", .envelope, "wrapped key as base64 twice", evidence: ("member", "wrappedKey")) {
            Self.useRSA(&$0)
            $0.request = { $0["wrappedKey"] = ProvisioningDoctorCase.encode(Array(($0["wrappedKey"]?.string ?? "").utf8)) }
        },
        Self("does-not-open", .envelope, "a flipped bit") { $0.sealing.data = { [$0[0] ^ 1] + $0.dropFirst() } },
        Self("other-leaf", .envelope, "sealed to another leaf") { $0.sealedTo = try P256PrivateKey(using: &$0.generator).publicKey },
        Self("other-leaf", .envelope, "an earlier leaf's key, the hash copied") { item in
            let old = try P256PrivateKey(using: &item.generator)
            let hash = Hexadecimal.encode(item.leafKey.publicKey.sha256)
            item.sealedTo = old.publicKey
            item.handsOverKey = false
            item.others.append(DoctorCase.file("old.key.pem", .p256(old)))
            item.request = { $0["publicKeyHash"] = .string(hash) }
        },
        Self("key-not-of-leaf", .envelope, "an unrelated key") {
            $0.handsOverKey = false
            $0.others.append(DoctorCase.file("other.key.pem", .p256(try P256PrivateKey(using: &$0.generator))))
        },
        Self("key-not-of-leaf", .envelope, "an unrelated key, and no leaf at all", evidence: ("leaf", "unknown")) {
            $0.handsOverKey = false
            $0.callback = $0.configuration
            $0.request = { $0["publicKeyHash"] = nil }
            $0.others.append(DoctorCase.file("other.key.pem", .p256(try P256PrivateKey(using: &$0.generator))))
        },
        Self("public-key-hash-of-certificate", .envelope, "hash of the certificate", evidence: ("made over", "the whole certificate")) {
            let hash = Hexadecimal.encode($0.authority.leaf.fingerprint)
            $0.request = { $0["publicKeyHash"] = .string(hash) }
        },
        Self("public-key-hash-of-point", .envelope, "hash of the point", evidence: ("made over", "the bare point of 65 bytes")) {
            let hash = Hexadecimal.encode(SHA256.hash(data: $0.leafKey.publicKey.x963 ?? []))
            $0.request = { $0["publicKeyHash"] = .string(hash) }
        },
        Self("public-key-hash-of-point", .envelope, "hash of X and Y", evidence: ("made over", "X and Y, 64 bytes")) {
            let hash = Hexadecimal.encode(SHA256.hash(data: ($0.leafKey.publicKey.x963 ?? []).dropFirst()))
            $0.request = { $0["publicKeyHash"] = .string(hash) }
        },
        Self(
            "public-key-hash-form", .envelope, "hash of the sub-CA's key", evidence: ("made over", ProvisioningAuthority.intermediateName)
        ) {
            let hash = Hexadecimal.encode($0.authority.intermediate.publicKeyHash)
            $0.request = { $0["publicKeyHash"] = .string(hash) }
        },
        Self("public-key-hash-form", .envelope, "a hash of 20 bytes", evidence: ("made over", "40 letters")) {
            $0.request = { $0["publicKeyHash"] = .string(String($0["publicKeyHash"]?.string?.prefix(40) ?? "")) }
        },
        Self("nonce-in-front", .envelope, "nonce drawn", evidence: ("nonce, bytes in front", "12")) { $0.sealing.drawsNonce = true },
        Self("key-derivation", .envelope, "counter from 0", evidence: ("opens when", "the counter counts from 0")) {
            $0.sealing.counter = [0, 0, 0, 0]
        },
        Self("text-in-data", .envelope, "data as base64 twice", evidence: ("alphabet", "base64")) {
            $0.sealing.data = { Array(StrictBase64.encode($0).utf8) }
        },
        Self("text-in-data", .envelope, "data as hex letters", evidence: ("alphabet", "hexadecimal")) {
            $0.sealing.data = { Array(Hexadecimal.encode($0).utf8) }
        },
        Self("text-in-data", .envelope, "key as base64 twice", evidence: ("member", "ephemeralPublicKey")) {
            $0.sealing.point = { Array(StrictBase64.encode($0).utf8) }
        },
        Self("member-unreadable", .envelope, "broken base64", evidence: ("member", "encryptedPassData")) {
            $0.request = { $0["encryptedPassData"] = .string(($0["encryptedPassData"]?.string ?? "") + "\n") }
        },
    ]

    static let payload: [Self] = [
        Self("payload-invalid", .payload, "no slash", network: .visaInClear, evidence: ("found", "the slash is missing")) {
            $0.payload["expiration"] = "1230"
        },
        Self(
            "payload-invalid", .payload, "spaces in the number", network: .visaInClear,
            evidence: ("found", "spaces or hyphens between the digits")
        ) {
            $0.payload["primaryAccountNumber"] = .string(String($0.number.prefix(4)) + " " + $0.number.dropFirst(4))
        },
        Self("payload-invalid", .payload, "check digit", network: .visaInClear, evidence: ("rule", "card-number-check-digit")) {
            $0.payload["primaryAccountNumber"] = .string(
                $0.number.dropLast(5) + ($0.number.dropLast(4).last == "0" ? "1" : "0") + $0.number.suffix(4))
        },
        Self("payload-invalid", .payload, "member missing", network: .visaInClear, evidence: ("rule", "malformed-pass-data")) {
            $0.payload["name"] = nil
        },
        Self("payload-invalid", .payload, "long name at Mastercard", network: .mastercard, evidence: ("found", "28 characters")) {
            $0.payload["name"] = .string(String(repeating: "MARIA ", count: 4) + "JOSE")
        },
        Self("bin-not-enabled", .payload, "BIN", evidence: ("BIN", "405551")) { $0.environment["bins"] = ["411111"] },
        Self("configuration-mismatch", .payload, "suffix", network: .visaInClear, evidence: ("member", "primaryAccountSuffix")) {
            $0.configuration["primaryAccountSuffix"] = .string($0.number.hasSuffix("0000") ? "1111" : "0000")
        },
        Self("configuration-mismatch", .payload, "suffix, number sealed", evidence: ("member", "primaryAccountSuffix")) {
            $0.configuration["primaryAccountSuffix"] = .string($0.number.hasSuffix("0000") ? "1111" : "0000")
        },
        Self("configuration-mismatch", .payload, "network", evidence: ("payload", "Visa")) {
            $0.configuration["paymentNetwork"] = "MasterCard"
        },
        Self("configuration-mismatch", .payload, "network by BIN", network: .mastercard, evidence: ("payload", "MasterCard")) {
            $0.configuration["paymentNetwork"] = "Visa"
        },
    ]

    /// Seals a block of our own making into the payload.
    private static func block(_ item: inout ProvisioningDoctorCase, number: String? = nil, _ change: (inout [UInt8]) -> Void) throws {
        var block = VisaBlock.make(
            SecretBytes(utf8: "pan=\(number ?? item.number);expiry=1230;datetime=20260102030405"), filler: Array("abcd".utf8)
        ).reveal()
        change(&block)
        let data = try OpenSSLTripleDESKey(item.zoneKey).encrypt(block)
        item.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(
            Array(VisaWireText(kind: .account, keySet: item.keySet, data: data).description.utf8))
    }

    private static func text(_ item: inout ProvisioningDoctorCase, _ change: (String) -> String) throws {
        let text = String(decoding: try StrictBase64.decode(item.payload["encryptedPrimaryAccountNumber"]?.string ?? ""), as: UTF8.self)
        item.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(Array(change(text).utf8))
    }

    static let inner: [Self] = [
        Self(
            "inner-type-swapped", .inner, "MBPAC for the account", evidence: ("found", "MBPAC"),
            put: { try text(&$0) { $0.replacing("MBPAD", with: "MBPAC") } }),
        Self(
            "inner-key-set", .inner, "another key set named", evidence: ("named", "999999.1"),
            put: { item in
                let own = item.keySet.id
                try text(&item) { $0.replacing(own, with: "999999.1") }
            }),
        Self("inner-key-set", .inner, "key set not held", evidence: ("held", "999999.2")) {
            $0.heldZoneKeys = [("999999.2", $0.generator.bytes(16))]
        },
        Self(
            "inner-not-base64", .inner, "text not base64", evidence: ("begins with", "MBPAD"),
            put: {
                let text = try StrictBase64.decode($0.payload["encryptedPrimaryAccountNumber"]?.string ?? "")
                $0.payload["encryptedPrimaryAccountNumber"] = .string(String(decoding: text, as: UTF8.self))
            }),
        Self("inner-mismatch", .inner, "two cards", evidence: ("primaryAccountNumberPrefix", "405552")) {
            $0.payload["primaryAccountNumberPrefix"] = "405552"
            $0.environment["bins"] = ["405552"]
        },
        Self(
            "form-unknown", .inner, "MBPAD of a later version", evidence: ("found", "begins with MBPAD"),
            put: { try text(&$0) { $0.replacing("MBPAD-1", with: "MBPAD-2") } }),
        Self("inner-type-swapped", .inner, "activation data under MBPAD", evidence: ("found", "MBPAD over nonce=…")) {
            let text = String(decoding: $0.activation, as: UTF8.self).replacing("MBPAC", with: "MBPAD")
            $0.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(Array(text.utf8))
        },
        Self("text-in-data", .inner, "account data as base64 twice", evidence: ("member", "encryptedPrimaryAccountNumber")) {
            $0.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(
                Array(($0.payload["encryptedPrimaryAccountNumber"]?.string ?? "").utf8))
        },
        Self("inner-block", .inner, "another zone key under the name", evidence: ("rule", "visa-block-form")) {
            $0.heldZoneKeys = [($0.keySet.id, $0.generator.bytes(16))]
        },
        Self("inner-chaining", .inner, "blocks by themselves", evidence: ("opens when", "each block was encrypted by itself")) { item in
            let key = try OpenSSLTripleDESKey(item.zoneKey)
            let block = VisaBlock.make(
                SecretBytes(utf8: "pan=\(item.number);expiry=1230;datetime=20260102030405"), filler: Array("abcd".utf8))
            let bytes = block.reveal()
            let data = try stride(from: 0, to: bytes.count, by: 8).flatMap { try key.encrypt(Array(bytes[$0..<$0 + 8])) }
            item.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(
                Array(VisaWireText(kind: .account, keySet: item.keySet, data: data).description.utf8))
        },
        Self(
            "inner-chaining", .inner, "another initial vector", evidence: ("opens when", "the initial vector is not zero"),
            put: { try block(&$0) { for index in 0..<8 { $0[index] ^= 0x5A } } }),
        Self("inner-text", .inner, "odd hex", evidence: ("rule", "visa-data-form"), put: { try text(&$0) { String($0.dropLast()) } }),
        Self(
            "inner-text", .inner, "not a multiple of 8", evidence: ("rule", "visa-data-form"),
            put: { try text(&$0) { String($0.dropLast(2)) } }),
        Self("inner-block", .inner, "wrong length digits", put: { try block(&$0) { $0[7] ^= 1 } }),
        Self(
            "inner-block", .inner, "zeros for padding", evidence: ("rule", "visa-block-form"),
            put: {
                try block(&$0, number: "405551000000017") { $0[63] = 0 }
            }),
    ]

    static let activation: [Self] = [
        Self("activation-data-missing", .activation, "no activation data", evidence: ("activationData", "missing")) { $0.activation = [] },
        Self("inner-type-swapped", .activation, "MBPAD for the activation", evidence: ("due", "MBPAC")) {
            $0.activation = Array(String(decoding: $0.activation, as: UTF8.self).replacing("MBPAC", with: "MBPAD").utf8)
        },
        Self("activation-nonce", .activation, "another nonce") {
            let other = $0.generator.bytes(4)
            $0.activation = Array(
                try await VisaActivationBlock(nonce: other, authenticationCode: .init(using: &$0.generator))
                    .sealed(keySet: $0.keySet, key: OpenSSLTripleDESKey($0.zoneKey), using: &$0.generator).description.utf8)
        },
        Self("text-in-data", .activation, "activation data as base64 twice", evidence: ("member", "activationData")) {
            $0.activation = Array(StrictBase64.encode($0.activation).utf8)
        },
        Self("activation-expired", .activation, "expired", network: .mastercard, evidence: ("rule", "authentication-value-expired")) {
            try await $0.signActivation(validFor: -3_600)
        },
        Self("activation-dates", .activation, "40 days ahead", network: .mastercard, evidence: ("rule", "authentication-value-too-long")) {
            try await $0.signActivation(validFor: 40 * 86_400)
        },
        Self("form-unknown", .activation, "unknown version", network: .mastercard, evidence: ("found", "version 9")) {
            $0.activation = Array(String(decoding: $0.activation, as: UTF8.self).replacing(#""3""#, with: #""9""#).utf8)
        },
        Self("form-unknown", .activation, "unknown algorithm", network: .mastercard, evidence: ("found", "signature algorithm RSA-PSS")) {
            $0.activation = Array(String(decoding: $0.activation, as: UTF8.self).replacing("RSA-SHA256", with: "RSA-PSS").utf8)
        },
        Self("form-unknown", .activation, "binary", evidence: ("member", "activationData")) {
            $0.activation = [0xFF] + $0.generator.bytes(39)
        },
        Self(
            "activation-form", .activation, "timestamp without a zone", network: .mastercard,
            evidence: ("rule", "authentication-value-form")
        ) {
            $0.activation = Array(String(decoding: $0.activation, as: UTF8.self).replacing(#"Z""#, with: #"""#).utf8)
        },
        Self("activation-nonce", .activation, "nonce twice in hexadecimal") {
            let twice = Array(Hexadecimal.encode($0.challenge.nonce).utf8)
            $0.activation = Array(
                try await VisaActivationBlock(nonce: twice, authenticationCode: .init(using: &$0.generator))
                    .sealed(keySet: $0.keySet, key: OpenSSLTripleDESKey($0.zoneKey), using: &$0.generator).description.utf8)
        },
        Self("text-in-data", .activation, "activation data in hexadecimal beside base64", evidence: ("alphabet", "hexadecimal")) {
            let text = Hexadecimal.encode($0.activation)
            $0.request = { $0["activationData"] = .string(text) }
        },
        Self(
            "activation-field-order", .activation, "other order", network: .mastercard,
            evidence: ("signed", "accountExpiry|accountNumber|dataValidUntilTimestamp")
        ) {
            try await $0.signActivation(fields: [.accountExpiry, .accountNumber, .dataValidUntilTimestamp])
            $0.activation = Array(
                String(decoding: $0.activation, as: UTF8.self)
                    .replacing("accountExpiry|accountNumber", with: "accountNumber|accountExpiry").utf8)
        },
        Self(
            "activation-signature", .activation, "expiry with a slash", network: .mastercard,
            evidence: ("signed text", "the expiry as MM/YY, separators as due")
        ) { item in
            var value = try TokenizationAuthenticationValue(json: item.activation)
            let until = try #require(value.form.dated).validUntil
            value = try await TokenizationAuthenticationValue(
                value.form, for: .init(accountNumber: CardNumber(item.number), expiration: CardExpiration(slashed: "12/30")),
                at: item.instant
            ) { _ throws(PaymentCryptoError) in
                try ProvisioningDoctorCase.rsa[0].signature(
                    over: SecretBytes(utf8: "\(item.number)|12/30|\(until.text)"), algorithm: .rsaPKCS1SHA256)
            }
            item.activation = value.json()
        },
        Self("activation-signature", .activation, "another key", network: .mastercard) {
            try await $0.signActivation(key: ProvisioningDoctorCase.rsa[1])
        },
        Self("activation-signature", .activation, "another card", network: .mastercard) {
            try await $0.signActivation(number: ProvisioningDoctorCase.number("520400", &$0.generator))
        },
    ]

    static let setup: [Self] = [
        Self("entitlement-missing", .setup, "profile without entitlement", evidence: ("place", "profile")) {
            $0.app["profileEntitlements"] = .object(JSONObject())
        },
        Self("entitlement-missing", .setup, "entitlement false", evidence: ("value", "false")) {
            $0.app["entitlements"] = .object(JSONObject([.init(ProvisioningCase.entitlement, false)]))
        },
        Self("entitlement-missing", .setup, "entitlements file", evidence: ("value", "absent")) {
            $0.others.append(
                Artifact(name: "app.entitlements", bytes: Array("<?xml?><plist><dict><key>get-task-allow</key><true/></dict></plist>".utf8))
            )
        },
        Self("build-unfit", .setup, "development build", evidence: ("distribution", "development")) {
            $0.app["distribution"] = "development"
        },
        Self("build-unfit", .setup, "target 9.0", evidence: ("minimumOSVersion", "9.0")) { $0.app["minimumOSVersion"] = "9.0" },
        Self("configuration-incomplete", .setup, "no scheme", evidence: ("encryptionScheme", "empty")) {
            $0.configuration["encryptionScheme"] = nil
        },
        Self("configuration-incomplete", .setup, "neither name nor suffix", evidence: ("cardholderName", "empty")) {
            $0.configuration["cardholderName"] = ""
            $0.configuration["primaryAccountSuffix"] = nil
        },
        Self("identifier-empty", .setup, "no identifier", evidence: ("a pass has", "V-9901")) {
            $0.configuration["primaryAccountIdentifier"] = ""
        },
        Self("app-not-associated", .setup, "app not listed", evidence: ("app", "TEAM123456.example.bank")) {
            $0.metadata["associatedApplicationIdentifiers"] = ["TEAM123456.example.bank.*"]
        },
        Self("extension-not-associated", .setup, "extension not listed", evidence: ("extension", "TEAM123456.example.bank.wallet")) {
            $0.metadata["associatedApplicationIdentifiers"] = ["TEAM123456.example.bank"]
        },
        Self("store-identifier", .setup, "other Adam ID", evidence: ("associatedStoreIdentifiers", "7654321")) {
            $0.metadata["associatedStoreIdentifiers"] = [7_654_321]
        },
        Self("not-on-allow-list", .setup, "card not listed", evidence: ("listed pairs", "0")) { $0.environment["allowList"] = [] },
        Self("no-sandbox", .setup, "sandbox of Visa", evidence: ("network", "Visa")) { $0.environment["environment"] = "sandbox" },
        Self("pass-not-active", .setup, "yellow taken for success", evidence: ("activationState", "1")) {
            $0.library["addedPass"] = .object(JSONObject([.init("activationState", 1)]))
        },
        Self("added-without-pass", .setup, "state 1 without a pass", evidence: ("passes", "0")) {
            $0.library["eligibilityState"] = 1
            $0.library["passes"] = []
        },
        Self("device-assumed", .setup, "device type in the callback", evidence: ("value", "watch")) { $0.callback["deviceType"] = "watch" },
        // Without the leaf's key the payload stays closed, so this one is not paired.
        Self("chain.leaf-key-kind", .request, "leaf on another curve", flaws: [.leafOnOtherCurve], evidence: ("rule", "leaf-key-kind")) {
            $0.request = { $0["publicKeyHash"] = nil }
            $0.handsOverKey = false
        },
        Self("scheme-field", .request, "wrappedKey filled", evidence: ("wrappedKey", "filled")) {
            $0.request = { $0["wrappedKey"] = $0["ephemeralPublicKey"] }
        },
        Self("request-incomplete", .request, "no key at all", evidence: ("missing", "ephemeralPublicKey")) {
            $0.request = { $0["ephemeralPublicKey"] = "" }
        },
    ]

    static let run: [Self] = [
        Self("extension-not-listed", .run, "slow status", evidence: ("statusMilliseconds", "350")) {
            $0.timing["extension"] = .object(JSONObject([.init("statusMilliseconds", 350)]))
        },
        Self("extension-not-listed", .run, "app never opened", evidence: ("app opened", "no")) {
            $0.timing["extension"] = .object(JSONObject([.init("statusMilliseconds", 10), .init("appOpened", false)]))
        },
        Self("callback-late", .run, "late", evidence: ("milliseconds", "20001")) { $0.timing["answersAt"] = [21_001] },
        Self("callback-answered-twice", .run, "twice", evidence: ("answers", "2")) { $0.timing["answersAt"] = [3_000, 4_000] },
        Self("callback-unanswered", .run, "never", evidence: ("answers", "0")) { $0.timing["answersAt"] = [] },
        Self("cards-html", .run, "page from /cards", evidence: ("status", "500")) {
            $0.log += "passd: /broker/v4/devices/04AA/cards 500 <html><body>error\n"
        },
        Self("card-refused", .run, "invalid card", evidence: ("code", "40001")) {
            $0.log += "passd: /broker/v4/devices/04AA/cards 403 {\"code\":40001}\n"
        },
        Self("enable-failed", .run, "enable", evidence: ("code", "40456")) {
            $0.log += "passd: /broker/v4/devices/04AA/cards/1/enable 500 code 40456\n"
        },
        Self("log-member-missing", .run, "PassKit misses data", evidence: ("member", "activationData")) {
            $0.log += "PassKit: activationData missing\n"
        },
        Self("proxy-active", .run, "proxy") { $0.log += "passd: HTTPSEnable = 1; HTTPSPort = 8888\n" },
        Self("proxy-active", .run, "proxy with a certificate of its own") {
            $0.log += "passd[1]: GET /broker/v4/devices/04AA/issuerProvisioningCertificates failed via proxy 10.0.0.2: error -1202\n"
        },
        Self("cards-html", .run, "page over several lines", evidence: ("status", "500")) {
            $0.log += "passd[1]: POST https://smp.apple.com/broker/v4/devices/04AA/cards\n  Status Code: 500\n  Content-Type: text/html\n"
        },
    ]
}
