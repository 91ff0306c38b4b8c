import BillfoldDiagnosis
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@testable import ApplePay

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
    ]

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
        Self("does-not-open", .envelope, "a flipped bit") { $0.sealing.data = { [$0[0] ^ 1] + $0.dropFirst() } },
        Self("other-leaf", .envelope, "sealed to another leaf") { $0.sealedTo = try P256PrivateKey(using: &$0.generator).publicKey },
        Self("public-key-hash-form", .envelope, "hash of the certificate") {
            let hash = Hexadecimal.encode($0.authority.leaf.fingerprint)
            $0.request = { $0["publicKeyHash"] = .string(hash) }
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
        Self("activation-form", .activation, "unknown version", network: .mastercard, evidence: ("rule", "authentication-value-form")) {
            $0.activation = Array(String(decoding: $0.activation, as: UTF8.self).replacing(#""3""#, with: #""9""#).utf8)
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
        Self("proxy-active", .run, "proxy") { $0.log += "passd: HTTPSProxy = 1, HTTPSEnable\n" },
    ]
}
