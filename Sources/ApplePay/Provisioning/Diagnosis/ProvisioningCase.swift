import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Everything that was handed over for one attempt, sorted by kind and still under the artifact's name.
///
/// JSON objects are told apart by their members; bytes in them are base64 unless said:
/// - callback: `certificates` (DER), `nonce`, `nonceSignature`, and how the two are written in `encoding` (`hex` or `base64`);
/// - request: `encryptedPassData`, `activationData`, `ephemeralPublicKey` or `wrappedKey`, `publicKeyHash` (hex), `encryptionVersion`;
/// - configuration: `encryptionScheme`, `cardholderName`, `primaryAccountSuffix`, `primaryAccountIdentifier`, `paymentNetwork`;
/// - payload: the JSON before it is sealed;
/// - pass metadata: `associatedApplicationIdentifiers`, `associatedStoreIdentifiers`;
/// - app: `bundleIdentifier` (`TEAM.bundle`), `extensions`, `adamID`, `entitlements`, `profileEntitlements`, `distribution`,
///   `minimumOSVersion`, `merchantIdentifier`; an entitlements or profile file may stand for itself;
/// - library: `passes` and `remotePasses` (PassKit's members), `eligibilityState`, `addedPass`, `shownAs`;
/// - timing: `callbackAt` and `answersAt` (milliseconds), `extension` (`statusMilliseconds`, `entries`, `appOpened`);
/// - environment: `environment`, `network`, `testPhase`, `allowList` (`suffix`, `secureElement`), `secureElement`, `suffix`, `bins`;
/// - zone key: `keySet`, `key` (hex).
struct ProvisioningCase {
    typealias Named<Value> = CaseFile.Named<Value>

    struct Payload {
        var bytes: [UInt8]
        var object: JSONObject
    }

    struct ZoneKey {
        var id: String
        var key: [UInt8]
    }

    let instant: Date?
    var identified: [Diagnosis.Identification] = []
    var callbacks: [Named<JSONObject>] = []
    var requests: [Named<JSONObject>] = []
    var configurations: [Named<JSONObject>] = []
    var payloads: [Named<Payload>] = []
    var metadata: [Named<JSONObject>] = []
    var apps: [Named<JSONObject>] = []
    var libraries: [Named<JSONObject>] = []
    var timings: [Named<JSONObject>] = []
    var environments: [Named<JSONObject>] = []
    var logs: [Named<String>] = []
    var zoneKeys: [Named<ZoneKey>] = []
    /// Keys that may be the broker's leaf's.
    var keys: [Named<P256PrivateKey>] = []
    /// Keys that may have signed a Mastercard value.
    var signers: [Named<PublicKey>] = []
    var certificates: [Named<ParsedCertificate>] = []

    static let byteLimit = 1_048_576
    static let entitlement = "com.apple.developer.payment-pass-provisioning"

    init(instant: Date?) { self.instant = instant }

    /// Self-issued authorities: roots that the caller offers as anchors.
    var roots: [ParsedCertificate] { certificates.map(\.value).filter { $0.isSelfIssued && $0.isCertificateAuthority } }

    mutating func read(_ artifact: Artifact) {
        let (name, bytes) = (artifact.name, artifact.bytes)
        guard !bytes.isEmpty, bytes.count <= Self.byteLimit else { return }
        if let object = try? JSONReader.readObject(bytes, maximumBytes: Self.byteLimit) {
            sort(object, bytes, name)
        } else if bytes.first == 0x30, let certificate = try? ParsedCertificate(der: bytes) {
            certificates.append(.init(name: name, value: certificate))
        } else {
            readText(String(decoding: bytes, as: UTF8.self), name)
        }
    }

    private mutating func sort(_ object: JSONObject, _ bytes: [UInt8], _ name: String) {
        func has(_ key: String) -> Bool { object[key] != nil }
        if has("encryptedPassData") || (has("activationData") && (has("ephemeralPublicKey") || has("wrappedKey"))) {
            requests.append(.init(name: name, value: object))
            identify(name, "request", "request for a pass\(object["publicKeyHash"]?.string.map { ", sealed to \($0)" } ?? "")")
        } else if has("certificates"), has("nonce") {
            callbacks.append(.init(name: name, value: object))
            identify(name, "callback", "what PassKit handed to the app, \(object["certificates"]?.array?.count ?? 0) certificates")
        } else if has("nonceSignature") {
            payloads.append(.init(name: name, value: Payload(bytes: bytes, object: object)))
            identify(name, "payload", "payload before it is sealed, \(bytes.count) bytes")
        } else if has("encryptionScheme") {
            configurations.append(.init(name: name, value: object))
            identify(
                name, "configuration", "request configuration for a card ending in \(object["primaryAccountSuffix"]?.string ?? "nothing")")
        } else if has("bundleIdentifier"), has("entitlements") || has("profileEntitlements") || has("distribution") || has("adamID") {
            apps.append(.init(name: name, value: object))
            identify(name, "app", "app \(object["bundleIdentifier"]?.string ?? "without a name")")
        } else if has("passes") || has("remotePasses") || has("addedPass") {
            libraries.append(.init(name: name, value: object))
            identify(name, "library", "pass library with \(object["passes"]?.array?.count ?? 0) passes")
        } else if has("associatedApplicationIdentifiers") {
            metadata.append(.init(name: name, value: object))
            identify(name, "metadata", "pass metadata at the network")
        } else if has("callbackAt") || object["extension"]?.object?["statusMilliseconds"] != nil {
            timings.append(.init(name: name, value: object))
            identify(name, "timing", "times of a callback or an extension")
        } else if has("testPhase") || has("allowList") || (has("environment") && has("network")) || has("bins") {
            environments.append(.init(name: name, value: object))
            identify(name, "environment", "environment of the programme")
        } else if let id = object["keySet"]?.string, let key = object["key"]?.string.flatMap({ try? Hexadecimal.decode($0) }),
            key.count == 16
        {
            zoneKeys.append(.init(name: name, value: ZoneKey(id: id, key: key)))
            identify(name, "zone-key", "zone key of set \(id)")
        }
    }

    private mutating func readText(_ text: String, _ name: String) {
        if text.contains("<plist") {
            let isProfile = text.contains("<key>ProvisionedDevices</key>") || text.contains("<key>TeamIdentifier</key>")
            // An app has other property lists, which say nothing about entitlements.
            let marks = [Self.entitlement, "application-identifier", "get-task-allow", "com.apple.developer.team-identifier"]
            guard isProfile || marks.contains(where: { text.contains("<key>\($0)</key>") }) else { return }
            let member = isProfile ? "profileEntitlements" : "entitlements"
            let isNamed = text.contains("<key>\(Self.entitlement)</key>")
            let held = isNamed ? [JSONObject.Member(Self.entitlement, .bool(Self.isTrue(text)))] : []
            apps.append(.init(name: name, value: JSONObject([.init(member, .object(JSONObject(held)))])))
            identify(name, "app", isProfile ? "provisioning profile" : "entitlements of an app")
            return
        }
        if let blocks = try? PEMText(text).blocks, !blocks.isEmpty {
            for block in blocks { read(block, name) }
            return
        }
        let isLog = ["/broker/v4/", "PKPaymentProvisioning", "PassKit", "passd", "encryptedPassData missing"].contains { text.contains($0) }
        guard isLog else { return }
        logs.append(.init(name: name, value: text))
        identify(name, "log", "device log of \(text.split(whereSeparator: \.isNewline).count) lines")
    }

    private static func isTrue(_ plist: String) -> Bool {
        guard let key = plist.range(of: "<key>\(entitlement)</key>") else { return false }
        return plist[key.upperBound...].drop(while: \.isWhitespace).hasPrefix("<true")
    }

    private mutating func read(_ block: PEMText.Block, _ name: String) {
        switch block.label {
        case "CERTIFICATE":
            guard let certificate = try? ParsedCertificate(der: block.bytes) else { return }
            certificates.append(.init(name: name, value: certificate))
            if let key = try? certificate.publicKey, case .rsa = key.kind { signers.append(.init(name: name, value: key)) }
        case "PUBLIC KEY":
            guard let key = try? PublicKey(subjectPublicKeyInfo: block.bytes) else { return }
            identify(name, "public-key", "public key, SHA-256 \(Hexadecimal.encode(key.sha256))")
            if case .rsa = key.kind { signers.append(.init(name: name, value: key)) }
        default:
            guard case .p256(let key)? = try? PrivateKey(der: block.bytes) else { return }
            keys.append(.init(name: name, value: key))
        }
    }

    private mutating func identify(_ name: String, _ kind: String, _ summary: String) {
        identified.append(.init(artifact: name, kind: "provisioning.\(kind)", summary: summary))
    }
}
