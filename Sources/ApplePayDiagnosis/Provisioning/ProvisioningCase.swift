import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Everything that was handed over for one attempt, sorted by kind and still under the artifact's name.
///
/// JSON objects are told apart by their members; bytes in them are base64 unless said:
/// - callback: `certificates` (DER), `nonce`, `nonceSignature`, and how the two are written in `encoding` (`hex` or `base64`);
/// - request: `encryptedPassData`, `activationData`, `ephemeralPublicKey` or `wrappedKey`, `publicKeyHash` (hex), `encryptionVersion`;
///   all of it in hexadecimal is read too; `activationData` may stand in a file of its own;
/// - configuration: `encryptionScheme`, `cardholderName`, `primaryAccountSuffix`, `primaryAccountIdentifier`, `paymentNetwork`;
/// - payload: the JSON before it is sealed;
/// - pass metadata: `associatedApplicationIdentifiers`, `associatedStoreIdentifiers`;
/// - app: `bundleIdentifier` (`TEAM.bundle`), `extensions`, `adamID`, `entitlements`, `profileEntitlements`, `distribution`,
///   `minimumOSVersion`, `merchantIdentifier`; an entitlements or profile file may stand for itself;
/// - library: `passes` and `remotePasses` (PassKit's members), `eligibilityState`, `addedPass`, `shownAs`;
/// - timing: `callbackAt` and `answersAt` (milliseconds, since 1970 or since anything), `extension` (`statusMilliseconds`, `entries`, `appOpened`);
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
    /// Activation data by itself.
    var activations: [Named<JSONObject>] = []
    var configurations: [Named<JSONObject>] = []
    var payloads: [Named<Payload>] = []
    var metadata: [Named<JSONObject>] = []
    var apps: [Named<JSONObject>] = []
    var libraries: [Named<JSONObject>] = []
    var timings: [Named<JSONObject>] = []
    var environments: [Named<JSONObject>] = []
    var logs: [Named<String>] = []
    /// What apps register; identified by whoever judges the wallets that they ask for.
    var propertyLists: [Named<AppPropertyList>] = []
    var zoneKeys: [Named<ZoneKey>] = []
    /// Keys that may be the broker's leaf's.
    var keys: [Named<P256PrivateKey>] = []
    var rsaKeys: [Named<RSAPrivateKey>] = []
    /// Keys that were handed over to check a Mastercard value with.
    var signers: [Named<PublicKey>] = []
    var certificates: [Named<ParsedCertificate>] = []

    static let byteLimit = 1_048_576
    static let entitlement = "com.apple.developer.payment-pass-provisioning"

    init(instant: Date?) { self.instant = instant }

    /// Self-issued authorities: roots that the caller offers as anchors.
    var roots: [ParsedCertificate] { certificates.map(\.value).filter { $0.isSelfIssued && $0.isCertificateAuthority } }

    /// Whether a form of Visa or Mastercard is to be expected: other networks publish none (provisioning.md#pass-data).
    var publishesForms: Bool {
        let named =
            configurations.compactMap { $0.value["paymentNetwork"]?.string }
            + payloads.compactMap { $0.value.object["networkName"]?.string }
        return named.isEmpty || named.contains { [.visa, .mastercard].contains(DistinctNetwork(spelled: $0)) }
    }

    /// When the attempt was, where a callback's time says so; else today. What held then need not hold now.
    var attemptInstant: Date? {
        let times = timings.compactMap { $0.value["callbackAt"]?.integer }.filter { $0 > 1_000_000_000_000 }
        return times.count == 1 ? Date(timeIntervalSince1970: TimeInterval(times[0]) / 1_000) : instant
    }

    mutating func read(_ artifact: Artifact) {
        let (name, bytes) = (artifact.name, artifact.bytes)
        guard !bytes.isEmpty, bytes.count <= Self.byteLimit else { return }
        if let object = try? ApplePayJSON.readObject(bytes, maximumBytes: Self.byteLimit) {
            sort(ProvisioningNames.normalised(object), bytes: bytes, name: name)
        } else if bytes.first == 0x30, let certificate = try? ParsedCertificate(der: bytes) {
            certificates.append(.init(name: name, value: certificate))
        } else {
            readText(String(decoding: bytes, as: UTF8.self), name)
        }
    }

    private mutating func sort(_ object: JSONObject, bytes: [UInt8], name: String) {
        func has(_ key: String) -> Bool { object[key] != nil }
        if has("encryptedPassData") || (has("activationData") && (has("ephemeralPublicKey") || has("wrappedKey"))) {
            requests.append(.init(name: name, value: object))
            identify(name, as: "request", summary: "request for a pass\(object["publicKeyHash"]?.string.map { ", sealed to \($0)" } ?? "")")
        } else if object["activationData"]?.string != nil {
            activations.append(.init(name: name, value: object))
            identify(name, as: "activation-data", summary: "activation data by itself")
        } else if has("certificates"), has("nonce") {
            callbacks.append(.init(name: name, value: object))
            identify(
                name, as: "callback", summary: "what PassKit handed to the app, \(object["certificates"]?.array?.count ?? 0) certificates")
        } else if has("nonceSignature") {
            payloads.append(.init(name: name, value: Payload(bytes: bytes, object: object)))
            identify(name, as: "payload", summary: "payload before it is sealed, \(bytes.count) bytes")
        } else if has("encryptionScheme") || (has("paymentNetwork") && (has("primaryAccountSuffix") || has("cardholderName"))) {
            configurations.append(.init(name: name, value: object))
            identify(
                name, as: "configuration",
                summary: "request configuration for a card ending in \(object["primaryAccountSuffix"]?.string ?? "nothing")")
        } else if has("bundleIdentifier"), has("entitlements") || has("profileEntitlements") || has("distribution") || has("adamID") {
            apps.append(.init(name: name, value: object))
            identify(name, as: "app", summary: "app \(object["bundleIdentifier"]?.string ?? "without a name")")
        } else if let app = Self.appOfProject(object) {
            apps.append(.init(name: name, value: app))
            identify(name, as: "app", summary: "a project's settings of app \(app["bundleIdentifier"]?.string ?? "without a name")")
        } else if has("passes") || has("remotePasses") || has("addedPass") {
            libraries.append(.init(name: name, value: object))
            identify(name, as: "library", summary: "pass library with \(object["passes"]?.array?.count ?? 0) passes")
        } else if has("associatedApplicationIdentifiers") {
            metadata.append(.init(name: name, value: object))
            identify(name, as: "metadata", summary: "pass metadata at the network")
        } else if has("callbackAt") || object["extension"]?.object?["statusMilliseconds"] != nil {
            timings.append(.init(name: name, value: object))
            identify(name, as: "timing", summary: "times of a callback or an extension")
        } else if has("testPhase") || has("allowList") || (has("environment") && has("network")) || has("bins") {
            environments.append(.init(name: name, value: object))
            identify(name, as: "environment", summary: "environment of the programme")
        } else if let id = object["keySet"]?.string, let key = object["key"]?.string.flatMap({ try? Hexadecimal.decode($0) }),
            key.count == 16
        {
            zoneKeys.append(.init(name: name, value: ZoneKey(id: id, key: key)))
            identify(name, as: "zone-key", summary: "zone key of set \(id)")
        }
    }

    /// The settings of an Expo project hold an app's identifier, and the entitlement where there is one.
    private static func appOfProject(_ object: JSONObject) -> JSONObject? {
        guard let project = object["expo"]?.object else { return nil }
        var app = JSONObject()
        if let identifier = project["ios"]?["bundleIdentifier"] { app["bundleIdentifier"] = identifier }
        // Other apps have other entitlements, and no need of this one.
        if let entitlements = project["ios"]?["entitlements"], entitlements[entitlement] != nil { app["entitlements"] = entitlements }
        return app
    }

    private mutating func readText(_ text: String, _ name: String) {
        if let list = AppPropertyList(Data(text.utf8)), !list.registeredSchemes.isEmpty {
            propertyLists.append(.init(name: name, value: list))
        }
        if text.contains("<plist") {
            let isProfile = text.contains("<key>ProvisionedDevices</key>") || text.contains("<key>TeamIdentifier</key>")
            // An app has other property lists, which say nothing about entitlements.
            let marks = [Self.entitlement, "application-identifier", "get-task-allow", "com.apple.developer.team-identifier"]
            guard isProfile || marks.contains(where: { text.contains("<key>\($0)</key>") }) else { return }
            let member = isProfile ? "profileEntitlements" : "entitlements"
            let isNamed = text.contains("<key>\(Self.entitlement)</key>")
            let held = isNamed ? [JSONObject.Member(Self.entitlement, .bool(Self.isTrue(text)))] : []
            var app = JSONObject([.init(member, .object(JSONObject(held)))])
            if !isProfile { app["applicationGroups"] = ApplicationGroups.listed(Data(text.utf8)) }
            apps.append(.init(name: name, value: app))
            identify(name, as: "app", summary: isProfile ? "provisioning profile" : "entitlements of an app")
            return
        }
        if let blocks = try? PEMText(text).blocks, !blocks.isEmpty {
            for block in blocks { read(block, name) }
            return
        }
        guard text.contains(Self.logMark) else { return }
        logs.append(.init(name: name, value: text))
        identify(name, as: "log", summary: "device log of \(text.split(whereSeparator: \.isNewline).count) lines")
    }

    /// What the wallet's processes write, and no source text that merely speaks of them.
    private static var logMark: Regex<Substring> {
        /\/broker\/v4\/devices\/|\bProvisioningOperationComposer\b|\bPKProvisioningError\b|\bPKPaymentProvisioning\w*[\s:\]]|\b(?:passd|PassKit|PassKitCore|PassbookUIService|Wallet)\b\s*(?:\(\w+\))?\s*(?:\[\d|:\s|\))/
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
            if let key = Self.signer(certificate) { signers.append(.init(name: name, value: key)) }
        case "PUBLIC KEY":
            guard let key = try? PublicKey(subjectPublicKeyInfo: block.bytes) else { return }
            identify(name, as: "public-key", summary: "public key, SHA-256 \(Hexadecimal.encode(key.sha256))")
            if case .rsa = key.kind { signers.append(.init(name: name, value: key)) }
        default:
            switch try? PrivateKey(der: block.bytes) {
            case .p256(let key)?: keys.append(.init(name: name, value: key))
            case .rsa(let key)?: rsaKeys.append(.init(name: name, value: key))
            case .p384?, nil: return
            }
        }
    }

    /// An authority signs certificates, a broker's leaf and a merchant's certificate nothing of the kind.
    private static func signer(_ certificate: ParsedCertificate) -> PublicKey? {
        guard !certificate.isCertificateAuthority, certificate.certificateExtension(.provisioningEncryption) == nil,
            certificate.keyUsage?.contains(.digitalSignature) ?? true, certificate.merchantUse == nil, let key = try? certificate.publicKey,
            case .rsa = key.kind
        else { return nil }
        return key
    }

    private mutating func identify(_ name: String, as kind: String, summary: String) {
        identified.append(.init(artifact: name, kind: "provisioning.\(kind)", summary: summary))
    }
}
