import ArgumentParser
import Foundation
import PaymentCrypto
import PaymentCryptoPKCS11
import ProvisioningServer

/// `keys issuer`: the keys that an issuer's host shares with networks.
struct IssuerKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issuer",
        abstract: "Make, import, list and retire the keys that an issuer shares with card networks.",
        discussion: """
            The issuer's file says which keys are used: a running host takes over what is changed there within seconds. To exchange a \
            key, make or import the new one, name it in the file (a zone or signing key last, a decision key first), and when nobody \
            uses the old one any more take its name out and retire it.
            """,
        subcommands: [IssuerKeysMake.self, IssuerKeysImport.self, IssuerKeysList.self, IssuerKeysRetire.self])
}

/// What every command about an issuer's keys takes.
struct IssuerKeysOptions: ParsableArguments {
    @Option(help: "The issuer's file, which says where its keys are.") var issuer: String
    @Flag(help: "Print one JSON object.") var json = false
}

/// What an issuer's key is for.
enum IssuerKeyKind: String, ExpressibleByArgument, CaseIterable {
    /// A Visa key set: two-part triple DES.
    case zone
    /// Signs Mastercard's tokenization authentication values: RSA, 2048 bits.
    case signing
    /// Opens what networks send: P-256.
    case decision

    var folderKind: IssuerKeyFolder.Kind {
        switch self {
        case .zone: .tripleDES
        case .signing: .rsa
        case .decision: .p256
        }
    }

    init(_ kind: IssuerKeyFolder.Kind) {
        self =
            switch kind {
            case .tripleDES: .zone
            case .rsa: .signing
            case .p256: .decision
            }
    }

    static let help: ArgumentHelp = "zone (Visa, triple DES), signing (Mastercard, RSA 2048) or decision (P-256)."
}

/// A command about an issuer's keys: it computes a reply, and this prints it and ends with the right code.
protocol IssuerKeysReplying: AsyncParsableCommand {
    var options: IssuerKeysOptions { get }
    func reply(_ ring: IssuerKeyRing) async throws -> KeysReply
}

extension IssuerKeysReplying {
    func run() async throws {
        do {
            try await reply(IssuerKeyRing(options.issuer, KeyEncryptionKey.encryption())).tell(asJSON: options.json)
        } catch { throw CommandFailure.ended(error, asJSON: options.json) }
    }
}

/// An issuer's keys, in the folder and on the token that its file names.
struct IssuerKeyRing {
    let disk: IssuerFileOnDisk
    let folder: IssuerKeyFolder

    init(_ path: String, _ encryption: KeyEncryption?) throws {
        disk = try IssuerFileOnDisk(path)
        folder = try disk.keyFolder(encryption, takesPlain: true)
    }

    /// The names of the file, in its order.
    func named(_ kind: IssuerKeyKind) -> [KeyID] {
        switch kind {
        case .zone: disk.file.visaKeys
        case .signing: disk.file.mastercardKeys
        case .decision: disk.file.decisionKeys
        }
    }

    /// `active`, `old`, or `unnamed` for a key that no host uses.
    func use(_ id: KeyID, _ kind: IssuerKeyKind) -> String {
        let names = named(kind)
        guard names.contains(id) else { return "unnamed" }
        return id == (kind == .decision ? names.first : names.last) ? "active" : "old"
    }

    func isOnToken(_ kind: IssuerKeyKind) -> Bool { disk.file.token != nil && kind != .decision }

    /// Puts a zone key where the file has them. Throws `duplicate-key`.
    func add(_ key: ZoneKey, as id: KeyID) async throws {
        guard isOnToken(.zone), let token = try await disk.token(isReadWrite: true) else {
            return try folder.add(id, kind: .tripleDES, key: key.bytes)
        }
        let result = await Result { try await PKCS11KeyStore(token: token).importTripleDESKey(id, key.bytes) }
        await token.close()
        try result.get()
    }

    /// Refuses what is done with the device's own tool.
    func add(_ key: PrivateKey, as id: KeyID, kind: IssuerKeyKind) throws {
        guard !isOnToken(kind) else { throw Self.onToken }
        var pkcs8 = key.pkcs8
        try folder.add(id, kind: kind.folderKind, key: SecretBytes(taking: &pkcs8))
    }

    /// Lets go of a key that no host is told to use. Refuses one that the file names with `key-active`.
    func retire(_ id: KeyID, _ kind: IssuerKeyKind) throws {
        guard use(id, kind) == "unnamed" else {
            throw PaymentCryptoError(code: .keyActive, reason: "\(disk.path) names key \(id): take it out there first")
        }
        guard !isOnToken(kind) else { throw Self.onToken }
        try folder.remove(id, kind.folderKind)
    }

    private static var onToken: CommandFailure {
        CommandFailure(.refused, code: "key-on-token", reason: "the issuer's file has such keys on a token: use the device's own tool")
    }

    /// What is known of a key without saying it.
    struct Row {
        var id: KeyID
        var kind: IssuerKeyKind
        var use: String
        /// `token`, `sealed` or `plain`; `missing` where the file names a key that is nowhere.
        var place: String
        /// Of a zone key.
        var checkValue: String?
        /// Of any other.
        var publicKey: PublicKey?

        var object: [String: KeysValue] {
            var object: [String: KeysValue] = [
                "id": .text(id.description), "kind": .text(kind.rawValue), "use": .text(use), "place": .text(place),
            ]
            object["checkValue"] = checkValue.map { .text($0) }
            object["publicKeyHash"] = publicKey.map { .text(StrictBase64.encode($0.sha256)) }
            object["publicKey"] = publicKey.map { .text($0.pem) }
            return object
        }

        /// What two parties compare.
        var likeness: String { checkValue ?? publicKey.map { StrictBase64.encode($0.sha256) } ?? "-" }
    }

    /// Opens a key and describes it. Throws `unknown-key` or `key-sealed`.
    func row(_ id: KeyID, _ kind: IssuerKeyKind) async throws -> Row {
        let token = isOnToken(kind) ? try await disk.token() : nil
        let store: any IssuerKeyStore = token.map { PKCS11KeyStore(token: $0) } ?? folder
        let result: Result<Row, any Error> = await Result { try await described(id, kind, by: store) }
        await token?.close()
        var row = try result.get()
        let isSealed = try folder.held.contains { $0.id == id && $0.kind == kind.folderKind && $0.isSealed }
        row.place = token != nil ? "token" : isSealed ? "sealed" : "plain"
        return row
    }

    private func described(_ id: KeyID, _ kind: IssuerKeyKind, by store: any IssuerKeyStore) async throws -> Row {
        var row = Row(id: id, kind: kind, use: use(id, kind), place: "")
        switch kind {
        case .zone: row.checkValue = try await ZoneKey.checkValue(of: store.tripleDESKey(id))
        case .signing: row.publicKey = try await store.signer(id).publicKey
        case .decision: row.publicKey = try folder.agreementKey(id).publicKey
        }
        return row
    }

    /// Every key that the file names and every other one in the folder.
    func rows() async throws -> [Row] {
        var rows: [Row] = []
        for kind in IssuerKeyKind.allCases {
            let others = try folder.held.filter { IssuerKeyKind($0.kind) == kind && !isOnToken(kind) }.map(\.id)
            for id in named(kind) + others.filter({ !named(kind).contains($0) }) {
                do {
                    rows.append(try await row(id, kind))
                } catch let error as PaymentCryptoError where error.code == .unknownKey {
                    rows.append(Row(id: id, kind: kind, use: use(id, kind), place: "missing"))
                }
            }
        }
        return rows
    }
}
