import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldPayments
package import BillfoldServer
package import PaymentCrypto

/// Which bank an issuer host serves, with which keys, and where it reaches processor and networks: one JSON object, read strictly.
///
/// Paths in it are relative to the file. Credentials stand in files of their own, which their owner alone can read. A field that is not
/// known here is refused, so that a misspelt one is never silently left out.
package struct IssuerFile: Sendable, Hashable {
    /// A token of a PKCS#11 module.
    package struct Token: Sendable, Hashable {
        package var module: String
        package var label: String
        /// The file in which its PIN stands.
        package var pin: String

        package init(module: String, label: String, pin: String) {
            self.module = module
            self.label = label
            self.pin = pin
        }
    }

    /// A party that we call and that knows us by a credential.
    package struct Peer: Sendable, Hashable {
        /// Without a slash at its end.
        package var origin: String
        /// The file of what the party knows us by.
        package var credential: String
    }

    package struct Network: Sendable, Hashable {
        package var network: CardScheme
        package var peer: Peer
        /// The file of what the network presents to us.
        package var callerKey: String
    }

    package var issuer: BillfoldPayments.MerchantID
    package var programmes: [Programme]
    /// What tokens are decided by, for programmes that say so.
    package var policies: [String: DecisionPolicy]
    /// The folder of the keys that are held in files: the decision keys, and where there is no token all others.
    package var keyFolder: String
    /// Where the networks' keys are held instead.
    package var token: Token?
    /// Key sets and aliases, the active one last.
    package var visaKeys: [KeyID]
    package var mastercardKeys: [KeyID]
    /// The P-256 keys that open what networks send, the newest first.
    package var decisionKeys: [KeyID]
    /// The file of what the bank's back end presents to us.
    package var bankKey: String
    package var processor: Peer
    /// How often the processor is asked for what changed; `nil` where it is not.
    package var changeInterval: Duration?
    /// The bank's own sender of pushes.
    package var pushes: Peer?
    package var networks: [Network]

    /// Refuses with `configuration-invalid`, naming the field.
    package init(_ bytes: [UInt8]) throws(ProvisioningError) {
        do {
            let reader = try RequestReader(
                bytes, allowing: ["issuer", "programmes", "keys", "decisionKeys", "bankKey", "processor", "networks", "pushes"])
            issuer = try BillfoldPayments.MerchantID(reader.text("issuer"))
            (programmes, policies) = ([], [:])
            let fields = [
                "id", "network", "numberPrefixes", "displayName", "payload", "prefixDigits", "encryptionScheme", "productIdentifiers",
                "requiresFelicaSecureElement", "decisions",
            ]
            for entry in try reader.objects("programmes", maximum: 100, allowing: fields) {
                let programme = try Self.programme(entry)
                programmes.append(programme)
                if let decisions = try entry.object("decisions", allowing: DecisionPolicy.members) {
                    policies[programme.id] = try DecisionPolicy(decisions, network: programme.network)
                }
            }
            guard let keys = try reader.object("keys", allowing: ["folder", "module", "token", "pin", "visa", "mastercard"]) else {
                throw RequestReader.malformed("keys", "is missing")
            }
            keyFolder = try keys.text("folder", maximum: 1_024)
            if ["module", "token", "pin"].contains(where: { keys.object[$0] != nil }) {
                token = Token(
                    module: try keys.text("module", maximum: 1_024), label: try keys.text("token", maximum: 32),
                    pin: try keys.text("pin", maximum: 1_024))
            }
            visaKeys = try keys.texts("visa", maximum: 20).map { KeyID($0) }
            mastercardKeys = try keys.texts("mastercard", maximum: 20).map { KeyID($0) }
            decisionKeys = try reader.texts("decisionKeys", maximum: 10).map { KeyID($0) }
            bankKey = try reader.text("bankKey", maximum: 1_024)
            guard let processor = try reader.object("processor", allowing: ["origin", "credential", "changesEverySeconds"]) else {
                throw RequestReader.malformed("processor", "is missing")
            }
            if processor.object["changesEverySeconds"] != nil {
                changeInterval = .seconds(try processor.integer("changesEverySeconds", in: 1...86_400))
            }
            self.processor = try Self.peer(processor)
            pushes = try reader.object("pushes", allowing: ["origin", "credential"]).map(Self.peer)
            networks = try reader.objects("networks", maximum: 3, allowing: ["network", "origin", "credential", "callerKey"]).map {
                network in
                .init(
                    network: try Self.scheme(network), peer: try Self.peer(network),
                    callerKey: try network.text("callerKey", maximum: 1_024))
            }
        } catch {
            throw Self.invalid((error as? any CodedError)?.reason ?? "\(error)")
        }
        guard !decisionKeys.isEmpty else { throw Self.invalid("decisionKeys is empty") }
        for ids in [visaKeys, mastercardKeys, decisionKeys] where Set(ids).count != ids.count {
            throw Self.invalid("a key is named twice")
        }
        guard Set(networks.map(\.network)).count == networks.count else { throw Self.invalid("a network is named twice") }
        for (network, keys) in [(CardScheme.visa, visaKeys), (.mastercard, mastercardKeys)] {
            guard !keys.isEmpty || !programmes.contains(where: { $0.network == network }) else {
                throw Self.invalid("keys.\(network.rawValue) is empty, and a programme needs one")
            }
        }
    }

    /// Refuses with `configuration-invalid` plain HTTP to any peer in production: card numbers and credentials go there.
    package func validate(_ mode: ServerMode) throws(ProvisioningError) {
        let peers =
            [("processor", processor)] + (pushes.map { [("pushes", $0)] } ?? [])
            + networks.map { ("networks.\($0.network.rawValue)", $0.peer) }
        for (name, peer) in peers where mode == .production && !peer.origin.hasPrefix("https://") {
            throw Self.invalid("\(name).origin: production speaks HTTPS only")
        }
    }

    private static func programme(_ reader: RequestReader) throws -> Programme {
        let form: Programme.PayloadForm
        switch try reader.text("payload") {
        case "fpan": form = .fpan
        case "encryptedFPAN":
            form = .encryptedFPAN(
                prefixDigits: reader.object["prefixDigits"] == nil ? 6 : Int(try reader.integer("prefixDigits", in: 6...8)))
        default: throw RequestReader.malformed("programmes.payload", "is neither fpan nor encryptedFPAN")
        }
        let scheme = try reader.optionalText("encryptionScheme") ?? EncryptionScheme.eccV2.rawValue
        guard EncryptionScheme(rawValue: scheme) != nil else {
            throw RequestReader.malformed("programmes.encryptionScheme", "is neither EV_ECC_v2 nor EV_RSA_v2")
        }
        var programme = Programme(
            id: try reader.text("id", maximum: 64), network: try Self.scheme(reader),
            numberPrefixes: try reader.texts("numberPrefixes", maximum: 100), displayName: try reader.text("displayName"), payload: form,
            encryptionScheme: scheme)
        programme.productIdentifiers = try reader.texts("productIdentifiers", maximum: 20)
        if reader.object["requiresFelicaSecureElement"] != nil {
            programme.requiresFelicaSecureElement = try reader.bool("requiresFelicaSecureElement")
        }
        return programme
    }

    private static func scheme(_ reader: RequestReader) throws(ProvisioningError) -> CardScheme {
        guard let scheme = CardScheme(rawValue: try reader.text("network")) else {
            throw RequestReader.malformed("network", "is neither visa nor mastercard nor unionPay")
        }
        return scheme
    }

    private static func peer(_ reader: RequestReader) throws(ProvisioningError) -> Peer {
        Peer(origin: try reader.text("origin", maximum: 1_024), credential: try reader.text("credential", maximum: 1_024))
    }

    private static func invalid(_ reason: String) -> ProvisioningError {
        ProvisioningError(code: .configurationInvalid, reason: "the issuer's file: \(reason)")
    }
}
