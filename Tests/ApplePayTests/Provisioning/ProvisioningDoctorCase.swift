import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization

@testable import ApplePay
@testable import ApplePayDiagnosis

struct OpenSSLZoneKeyCipher: ZoneKeyCipher {
    func decrypt(_ blocks: [UInt8], key: [UInt8]) -> [UInt8]? { try? OpenSSLTripleDESKey(key).decrypt(blocks) }
}

/// Everything a team could hand to the doctor for one attempt, good until a fault is put in.
struct ProvisioningDoctorCase {
    enum Network { case visa, visaInClear, mastercard }

    /// How the payload is sealed.
    struct Sealing {
        var counter: [UInt8] = [0, 0, 0, 1]
        var counterAfterSecret = false
        var lengthByte: [UInt8] = [0x0D]
        var partyU = Array("Apple".utf8)
        var partyV: ([UInt8]) -> [UInt8] = { $0 }
        var nonceLength = 12
        /// Draws the nonce and sends it before the ciphertext.
        var drawsNonce = false
        var tagInFront = false
        var tagLeftOut = false
        var tagApart = false
        /// Makes X or Y of the ephemeral key begin with a zero.
        var zeroAt: Int?
        /// What is sent for the point.
        var point: ([UInt8]) -> [UInt8] = { $0 }
        /// What is sent for the ciphertext.
        var data: ([UInt8]) -> [UInt8] = { $0 }
    }

    static let now = Date(timeIntervalSince1970: 1_795_000_000)
    /// Two for Mastercard's values, one for the broker's leaf.
    static let rsa: [RSAPrivateKey] = (0..<3).compactMap { _ in try? RSAPrivateKey(bits: 2048) }

    var generator: SeededGenerator
    var network: Network
    var instant = now
    var authority: ProvisioningAuthority
    var leafKey: P256PrivateKey
    /// The key that the payload is sealed to, when it is another than the leaf's.
    var sealedTo: PublicKey?
    var challenge: ProvisioningChallenge
    var number: String
    var keySet: VisaKeySet
    var zoneKey: [UInt8]
    var heldZoneKeys: [(String, [UInt8])]
    var sealing = Sealing()
    /// Seals by RSA_V2 with these.
    var rsaParameters: RSAPassDataParameters?
    var callback: JSONObject
    var payload: JSONObject
    /// Changes the request after it was made.
    var request: (inout JSONObject) -> Void = { _ in }
    var activation: [UInt8]
    var configuration: JSONObject
    var app: JSONObject
    var metadata: JSONObject
    var library: JSONObject
    var timing: JSONObject
    var environment: JSONObject
    var log = "passd: POST https://nc-pod4-smp-device.apple.com/broker/v4/devices/04AA/cards 200\n"
    var showsPayload = false
    var handsOverKey = true
    var handsOverRoot = true
    var others: [Artifact] = []

    private struct Broker: Hashable {
        var seed: UInt64
        var flaws: Set<ProvisioningAuthority.Flaw>
    }

    private static let brokers = Mutex<[Broker: ProvisioningAuthority]>([:])

    /// Forty brokers serve all cases: their certificates take longer to make than everything else of a case.
    private static func authority(of seed: UInt64, _ flaws: Set<ProvisioningAuthority.Flaw>) throws -> ProvisioningAuthority {
        let broker = Broker(seed: seed, flaws: flaws)
        if let authority = brokers.withLock({ $0[broker] }) { return authority }
        var generator = SeededGenerator(seed: seed, label: "provisioning broker")
        let authority = try ProvisioningAuthority(at: now, rsaLeafKey: rsa[2], flaws: flaws, using: &generator)
        brokers.withLock { $0[broker] = authority }
        return authority
    }

    init(seed: UInt64, network: Network = .visa, flaws: Set<ProvisioningAuthority.Flaw> = []) async throws {
        generator = SeededGenerator(seed: seed, label: "provisioning doctor")
        self.network = network
        authority = try Self.authority(of: seed % 40, flaws)
        leafKey = authority.leafKey
        challenge = try authority.challenge(secureElement: "04AA", account: "a", using: &generator)
        number = Self.number(network == .mastercard ? "520400" : "405551", &generator)
        keySet = try VisaKeySet("405551.\(Int.random(in: 1...9, using: &generator))")
        zoneKey = generator.bytes(16)
        heldZoneKeys = [(keySet.id, zoneKey)]
        callback = JSONObject([
            .init("certificates", .array(authority.certificates().map { .string(StrictBase64.encode($0)) })),
            .init("nonce", .string(challenge.nonceText)), .init("nonceSignature", .string(challenge.nonceSignatureText)),
            .init("encoding", "hex"),
        ])
        configuration = JSONObject([
            .init("encryptionScheme", "EV_ECC_v2"), .init("cardholderName", "JANE SPECIMEN"),
            .init("primaryAccountSuffix", .string(String(number.suffix(4)))), .init("primaryAccountIdentifier", "V-9901"),
            .init("paymentNetwork", network == .mastercard ? "MasterCard" : "Visa"), .init("localizedDescription", "Card"),
        ])
        let allowed = JSONValue.object(JSONObject([.init(ProvisioningCase.entitlement, true)]))
        app = JSONObject([
            .init("bundleIdentifier", "TEAM123456.example.bank"), .init("extensions", ["TEAM123456.example.bank.wallet"]),
            .init("adamID", 1_234_567), .init("entitlements", allowed), .init("profileEntitlements", allowed),
            .init("distribution", "testflight"), .init("minimumOSVersion", "13.4"), .init("merchantIdentifier", "merchant.example.bank"),
        ])
        metadata = JSONObject([
            .init("associatedApplicationIdentifiers", ["TEAM123456.example.bank", "TEAM123456.example.bank.wallet"]),
            .init("associatedStoreIdentifiers", [1_234_567]),
        ])
        let pass = JSONValue.object(
            JSONObject([
                .init("primaryAccountIdentifier", "V-9901"), .init("primaryAccountNumberSuffix", .string(String(number.suffix(4)))),
                .init("activationState", 0),
            ]))
        library = JSONObject([
            .init("passes", [pass]), .init("remotePasses", []), .init("eligibilityState", 2), .init("addedPass", pass),
            .init("shownAs", "active"),
        ])
        timing = JSONObject([
            .init("callbackAt", 1_000), .init("answersAt", [3_500]),
            .init(
                "extension",
                .object(JSONObject([.init("statusMilliseconds", 40), .init("entries", 2), .init("appOpened", true)]))),
        ])
        environment = JSONObject([
            .init("environment", "production"), .init("network", "Visa"), .init("testPhase", true),
            .init("suffix", .string(String(number.suffix(4)))), .init("secureElement", "04aa"), .init("bins", ["405551", "520400"]),
            .init(
                "allowList",
                [
                    .object(
                        JSONObject([.init("suffix", .string(String(number.suffix(4)))), .init("secureElement", "04AA")]))
                ]),
        ])
        payload = JSONObject()
        activation = []
        try await prepare()
    }

    /// Makes payload and activation data anew from number, key set and challenge.
    mutating func prepare() async throws {
        let expiration = try CardExpiration(slashed: "12/30")
        let key = try OpenSSLTripleDESKey(zoneKey)
        payload = JSONObject()
        if network == .visa {
            let text = try await VisaAccountBlock(primaryAccountNumber: CardNumber(number), expiration: expiration, instant: Self.now)
                .sealed(keySet: keySet, key: key, using: &generator).description
            payload["primaryAccountNumberPrefix"] = .string(String(number.prefix(6)))
            payload["encryptedPrimaryAccountNumber"] = .string(StrictBase64.encode(Array(text.utf8)))
            payload["networkName"] = "Visa"
        } else {
            payload["primaryAccountNumber"] = .string(number)
            payload["expiration"] = .string(expiration.slashed)
        }
        payload["name"] = "JANE SPECIMEN"
        payload["nonce"] = .string(challenge.nonceText)
        payload["nonceSignature"] = .string(challenge.nonceSignatureText)
        if network == .mastercard {
            try await signActivation()
        } else {
            activation = Array(
                try await VisaActivationBlock(nonce: challenge.nonce, authenticationCode: .init(using: &generator))
                    .sealed(keySet: keySet, key: key, using: &generator).description.utf8)
        }
    }

    mutating func signActivation(
        validFor seconds: Double = 1_800, key: RSAPrivateKey = rsa[0], number other: String? = nil,
        fields: [TokenizationAuthenticationValue.Field] = [.accountNumber, .accountExpiry, .dataValidUntilTimestamp]
    ) async throws {
        let card = TokenizationAuthenticationValue.Card(
            accountNumber: try CardNumber(other ?? number), expiration: try CardExpiration(slashed: "12/30"))
        let validUntil = Self.now + seconds
        activation = try await TokenizationAuthenticationValue(
            .version3(fields: fields, validUntil: .init(validUntil)), for: card, at: validUntil - 60, signer: key
        ).json()
    }

    static func number(_ prefix: String, _ generator: inout SeededGenerator) -> String {
        let body = prefix + (0..<9).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
        return (0...9).map { body + "\($0)" }.first { (try? CardNumber($0).passesLuhn) == true } ?? body + "0"
    }

    static func encode(_ bytes: [UInt8]) -> JSONValue { .string(StrictBase64.encode(bytes)) }

    private mutating func wrappedRequest(_ parameters: RSAPassDataParameters) throws -> JSONObject {
        let sealer = try RSAPassDataSealer(leaf: Self.rsa[2].publicKey, parameters: parameters)
        let sealed = try sealer.seal(SecretBytes(JSONWriter.write(payload)), using: &generator)
        return JSONObject([
            .init("encryptedPassData", Self.encode(sealed.encryptedPassData)), .init("activationData", Self.encode(activation)),
            .init("wrappedKey", Self.encode(sealed.wrappedKey ?? [])),
            .init("publicKeyHash", .string(Hexadecimal.encode(sealed.publicKeyHash))), .init("encryptionVersion", "EV_RSA_v2"),
        ])
    }

    /// Seals by hand, so that every step can be wrong.
    private mutating func sealedRequest() throws -> JSONObject {
        if let rsaParameters { return try wrappedRequest(rsaParameters) }
        let leaf = sealedTo ?? leafKey.publicKey
        var ephemeral = try P256PrivateKey(using: &generator)
        while let place = sealing.zeroAt, ephemeral.publicKey.x963?[place] != 0 { ephemeral = try P256PrivateKey(using: &generator) }
        let (point, target) = (ephemeral.publicKey.x963 ?? [], leaf.x963 ?? [])
        let secret = try ephemeral.sharedSecret(x963: target)
        let head = sealing.counterAfterSecret ? secret + sealing.counter : sealing.counter + secret
        let info = sealing.lengthByte + Array("id-aes256-GCM".utf8) + sealing.partyU + sealing.partyV(point)
        let key = Array(SHA256.hash(data: head + info))
        let nonce = sealing.drawsNonce ? generator.bytes(12) : [UInt8](repeating: 0, count: sealing.nonceLength)
        let sealed = (sealing.drawsNonce ? nonce : []) + (try AESGCM(key: key).seal(JSONWriter.write(payload), nonce: nonce))
        let (ciphertext, tag) = (Array(sealed.dropLast(16)), Array(sealed.suffix(16)))
        let data =
            sealing.tagInFront ? tag + ciphertext : sealing.tagLeftOut || sealing.tagApart ? ciphertext : ciphertext + tag
        var request = JSONObject([
            .init("encryptedPassData", Self.encode(sealing.data(data))), .init("activationData", Self.encode(activation)),
            .init("ephemeralPublicKey", Self.encode(sealing.point(point))),
            .init("publicKeyHash", .string(Hexadecimal.encode(leaf.sha256))),
            .init("encryptionVersion", "EV_ECC_v2"),
        ])
        if sealing.tagApart { request["tag"] = Self.encode(tag) }
        return request
    }

    mutating func artifacts() throws -> [Artifact] {
        var request = try sealedRequest()
        self.request(&request)
        func json(_ name: String, _ object: JSONObject) -> Artifact { Artifact(name: name, bytes: JSONWriter.write(object)) }
        var artifacts = [
            json("callback.json", callback), json("request.json", request), json("configuration.json", configuration),
            json("app.json", app),
            json("metadata.json", metadata), json("library.json", library), json("timing.json", timing),
            json("environment.json", environment), Artifact(name: "device.log", bytes: Array(log.utf8)),
        ]
        if handsOverRoot { artifacts.append(Artifact(name: "root.pem", bytes: Array(authority.root.pem.utf8))) }
        artifacts += heldZoneKeys.enumerated().map { index, item in
            json("zone-\(index).json", JSONObject([.init("keySet", .string(item.0)), .init("key", .string(Hexadecimal.encode(item.1)))]))
        }
        if handsOverKey {
            artifacts.append(DoctorCase.file("leaf.key.pem", rsaParameters == nil ? .p256(leafKey) : .rsa(Self.rsa[2])))
        }
        if showsPayload { artifacts.append(json("payload.json", payload)) }
        if network == .mastercard { artifacts.append(Artifact(name: "tav.pub.pem", bytes: Array(Self.rsa[0].publicKey.pem.utf8))) }
        return artifacts + others
    }

    mutating func examine() throws -> Diagnosis { Self.examine(try artifacts(), at: instant) }

    /// Both of this library's diagnosticians, as the doctor runs them: neither speaks of what is the other's.
    static func examine(_ artifacts: [Artifact], at instant: Date) -> Diagnosis {
        Diagnosis(
            of: artifacts,
            by: [ApplePayDiagnostician(at: instant), ProvisioningDiagnostician(at: instant, cipher: OpenSSLZoneKeyCipher())])
    }
}
