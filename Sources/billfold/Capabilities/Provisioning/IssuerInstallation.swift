import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import Crypto
import Foundation
import HTTPTypes
import PaymentCrypto
import ProvisioningServer

/// The bank that a process is the issuer's host of: that of the issuer's file, or in test mode without one the sandbox's.
///
/// In test mode keys and credentials are made in the data folder, and network and processor are told them; in production nothing is
/// made, and what is missing is named and refused.
struct IssuerInstallation {
    static let sandboxIssuer = "bank"
    static let zoneKey: KeyID = "405551.1"
    static let signingKey: KeyID = "bank-tav-1"
    static let decisionKey: KeyID = "decision-1"
    private static let bankKeyFile = "bank.key"
    private static let keyFolder = "issuer-keys"
    private static let changesEverySeconds = 2
    private static func callerKey(_ scheme: CardScheme) -> String { "network-\(scheme.rawValue).key" }

    let process: ServingProcess
    /// The issuer's file.
    let file: String?

    /// What the host is composed from.
    struct Loaded {
        var configuration: ProvisioningConfiguration
        var cards: ProcessorCardSource
        /// Who may call, and with what.
        var callers: [(caller: ProvisioningCaller, key: Secret<String>)]
        /// Where keys come from that may change while the host runs, and what was there when they were loaded.
        var keys: (source: IssuerKeys, state: IssuerKeys.State)?
    }

    /// The bank's API key in the sandbox. Whoever comes first, bank or host, makes it.
    static func bankKey(in folder: DataFolder) throws -> Secret<String> { try folder.bearer(bankKeyFile) }

    func load() async throws -> Loaded {
        if let disk = try Self.disk(file, in: process.mode) { return try await load(disk) }
        return try await sandbox()
    }

    /// The issuer's file; `nil` without one in test mode. Refuses with `configuration-invalid`.
    static func disk(_ path: String?, in mode: ServerMode) throws -> IssuerFileOnDisk? {
        guard let path else {
            guard mode == .test else { throw CommandFailure.invalid("production needs --issuer FILE for the role provisioning") }
            return nil
        }
        let disk = try IssuerFileOnDisk(path)
        try disk.file.validate(mode)
        return disk
    }

    private func keys() throws -> ProvisioningConfiguration.Keys {
        .init(
            audit: SymmetricKey(data: try process.folder.symmetric("audit").reveal()),
            hashing: SymmetricKey(data: try process.folder.symmetric("hashing").reveal()),
            sealer: try process.folder.sealer())
    }

    // MARK: From a file

    private func load(_ disk: IssuerFileOnDisk) async throws -> Loaded {
        let (file, mode) = (disk.file, process.mode)
        func secret(_ name: String) throws -> Secret<String> { try ConfigurationFile.secret(disk.place(name)) }
        let keys = try await IssuerKeys(disk, process.encryption, takesPlain: process.takesPlainKeys)
        let state = try keys.state
        let opened = try await keys.load()
        var configuration = ProvisioningConfiguration(
            mode: mode, issuer: file.issuer, programmes: file.programmes, keys: try self.keys())
        configuration.networkKeys = opened.networks
        if mode == .test { configuration.trust = try await sandboxTrust() }
        let credential = try secret(file.processor.credential)
        var tokens = TokenConfiguration(
            decisionKeys: opened.decision,
            networks: Dictionary(
                uniqueKeysWithValues: try file.networks.map {
                    ($0.network, .init(origin: $0.peer.origin, credential: try secret($0.peer.credential)))
                }),
            messenger: ProcessorMessenger(http: process.sender, origin: file.processor.origin, credential: credential))
        tokens.policies = file.policies
        tokens.changeInterval = file.changeInterval
        tokens.pusher = try file.pushes.map {
            PushSender(http: process.sender, origin: $0.origin, credential: try secret($0.credential))
        }
        configuration.tokens = tokens
        return Loaded(
            configuration: configuration,
            cards: ProcessorCardSource(http: process.sender, address: file.processor.origin, credential: credential),
            callers: [(.bank, try secret(file.bankKey))] + (try file.networks.map { (.network($0.network), try secret($0.callerKey)) }),
            keys: (keys, state))
    }

    // MARK: The sandbox's bank

    private static let programmes = [
        Programme(
            id: "visa-credit", network: .visa, numberPrefixes: ["405551"], displayName: "Two Leaves Visa",
            payload: .encryptedFPAN(prefixDigits: 6)),
        Programme(
            id: "mastercard-debit", network: .mastercard, numberPrefixes: ["520400"], displayName: "Two Leaves Mastercard", payload: .fpan),
        // Which scheme UnionPay takes is unconfirmed; mainland issuers are said to use RSA (provisioning.md#rsa_v2 [I]).
        Programme(
            id: "unionpay-debit", network: .unionPay, numberPrefixes: ["621483"], displayName: "Two Leaves UnionPay", payload: .fpan,
            encryptionScheme: "EV_RSA_v2"),
    ]

    private func sandbox() async throws -> Loaded {
        let store = IssuerKeyFolder(
            folder: try DataFolder(process.folder.path(Self.keyFolder), encryption: process.encryption), encryption: process.encryption)
        try store.makeTripleDESKey(Self.zoneKey)
        try store.makeSigner(Self.signingKey)
        try store.makeAgreementKey(Self.decisionKey)
        let decision = try store.agreementKey(Self.decisionKey)
        var callers: [(caller: ProvisioningCaller, key: Secret<String>)] = [(.bank, try Self.bankKey(in: process.folder))]
        var credentials: [String: String] = [:]
        for scheme in CardScheme.allCases {
            let credential = try process.folder.bearer(Self.callerKey(scheme))
            callers.append((.network(scheme), credential))
            credentials[scheme.rawValue] = credential.reveal()
        }
        let enrolment = IssuerEnrolment(process: process)
        let network = try await enrolment.atNetwork(
            decisionKey: decision.publicKey, credentials: credentials, zoneKey: (Self.zoneKey, store.zoneKeyBytes(Self.zoneKey)),
            signingKey: store.signer(Self.signingKey).publicKey)
        let processor = try await enrolment.atProcessor()
        var configuration = ProvisioningConfiguration(
            mode: .test, issuer: try BillfoldPayments.MerchantID(Self.sandboxIssuer), programmes: Self.programmes, keys: try keys())
        configuration.networkKeys = try await NetworkKeys(visa: [Self.zoneKey], mastercard: [Self.signingKey], from: store)
        configuration.trust = try await sandboxTrust()
        let addresses = process.addresses
        try asFile.write(in: process.folder, network: network, processor: processor)
        var tokens = TokenConfiguration(
            decisionKeys: [decision],
            networks: Dictionary(
                uniqueKeysWithValues: CardScheme.allCases.map {
                    ($0, .init(origin: addresses[.cardNetwork].origin + "/card-network", credential: network))
                }),
            messenger: ProcessorMessenger(http: process.sender, origin: addresses[.cardProcessor].origin, credential: processor))
        tokens.changeInterval = .seconds(Self.changesEverySeconds)
        tokens.pusher = PushSender(http: process.sender, origin: addresses[.cardProcessor].origin + "/processor", credential: processor)
        configuration.tokens = tokens
        return Loaded(
            configuration: configuration,
            cards: ProcessorCardSource(http: process.sender, address: addresses[.cardProcessor].origin, credential: processor),
            callers: callers)
    }

    /// What the sandbox's bank runs by, for whoever brings a part of their own.
    private var asFile: SandboxIssuerFile {
        let (network, processor) = (process.addresses[.cardNetwork].origin, process.addresses[.cardProcessor].origin)
        return SandboxIssuerFile(
            issuer: Self.sandboxIssuer, programmes: Self.programmes.map(SandboxIssuerFile.Entry.init),
            keys: .init(folder: Self.keyFolder, visa: [Self.zoneKey.description], mastercard: [Self.signingKey.description]),
            decisionKeys: [Self.decisionKey.description], bankKey: Self.bankKeyFile,
            processor: .init(origin: processor, changesEverySeconds: Self.changesEverySeconds),
            pushes: .init(origin: processor + "/processor"),
            networks: CardScheme.allCases.map {
                .init(network: $0.rawValue, origin: network + "/card-network", callerKey: Self.callerKey($0))
            })
    }

    /// The root that the sandbox's broker pins its leafs to.
    private func sandboxTrust() async throws -> ProvisioningTrust {
        let pem = try await PartyPatience.answer(
            from: "the broker", sender: process.sender,
            OutgoingRequest(
                method: .get, url: "\(process.addresses[.broker].origin)/broker/control/root", destination: .configured))
        return .test(roots: try ParsedCertificate.all(pem: String(decoding: pem, as: UTF8.self)))
    }
}

/// What a bank does once with network and processor, done in test mode with the sandbox's at every start: either may be a new one.
struct IssuerEnrolment {
    let process: ServingProcess

    private struct Wish: Encodable {
        struct ZoneKey: Encodable {
            var id: String
            var key: String
        }

        var issuer = IssuerInstallation.sandboxIssuer
        var decisionURL: String
        var decisionKey: String
        var credentials: [String: String]
        var zoneKeys: [ZoneKey]
        var tavKeys: [String]
    }

    private struct AccountKey: Decodable { var accountKey: String }
    private struct Enrolled: Decodable { var credential: String }

    /// Returns what the network knows us by.
    func atNetwork(
        decisionKey: PublicKey, credentials: [String: String], zoneKey: (id: KeyID, bytes: SecretBytes), signingKey: PublicKey
    ) async throws -> Secret<String> {
        let base = "\(process.addresses[.cardNetwork].origin)/card-network/issuer/v1"
        let keys = try await decode(
            AccountKey.self, from: "the card network", asking: OutgoingRequest(method: .get, url: "\(base)/keys", destination: .configured))
        let receiver = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(keys.accountKey))
        let wish = Wish(
            decisionURL: process.addresses[.provisioning].origin, decisionKey: StrictBase64.encode(decisionKey.subjectPublicKeyInfo),
            credentials: credentials,
            zoneKeys: [
                .init(
                    id: zoneKey.id.description,
                    key: StrictBase64.encode(try HybridEncryption.seal(zoneKey.bytes, to: receiver, info: "billfold zone key")))
            ], tavKeys: [StrictBase64.encode(signingKey.subjectPublicKeyInfo)])
        return Secret(try await post(Enrolled.self, from: "the card network", at: "\(base)/enrolment", body: wish).credential)
    }

    /// Returns what the processor knows us by.
    func atProcessor() async throws -> Secret<String> {
        let url = "\(process.addresses[.cardProcessor].origin)/processor/v1/enrolment"
        return Secret(
            try await post(Enrolled.self, from: "the card processor", at: url, body: ["issuer": IssuerInstallation.sandboxIssuer])
                .credential)
    }

    private func post<Answer: Decodable>(
        _ type: Answer.Type, from party: String, at url: String, body: some Encodable
    ) async throws -> Answer {
        try await decode(
            type, from: party,
            asking: OutgoingRequest(
                method: .post, url: url, headers: [.contentType: "application/json"], body: Array(try JSONEncoder().encode(body)),
                destination: .configured))
    }

    private func decode<Answer: Decodable>(_ type: Answer.Type, from party: String, asking request: OutgoingRequest) async throws -> Answer
    {
        let bytes = try await PartyPatience.answer(from: party, sender: process.sender, request)
        guard let answer = try? JSONDecoder().decode(type, from: Data(bytes)) else {
            throw CommandFailure(.refused, code: "party-refused", reason: "\(party) answered something else than was asked")
        }
        return answer
    }
}
