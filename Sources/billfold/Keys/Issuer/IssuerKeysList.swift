import ApplePay
import ArgumentParser
import PaymentCrypto

/// `keys issuer list`: the keys with what parties compare them by.
struct IssuerKeysList: IssuerKeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an issuer's keys with their check values or the hashes of their public keys.")

    @OptionGroup var options: IssuerKeysOptions

    func reply(_ ring: IssuerKeyRing) async throws -> KeysReply {
        let rows = try await ring.rows()
        let table =
            [["ID", "KIND", "USE", "PLACE", "CHECK VALUE OR HASH"]]
            + rows.map {
                [$0.id.description, $0.kind.rawValue, $0.use, $0.place, $0.likeness]
            }
        return KeysReply(
            text: KeysList.table(table), object: ["keys": .list(rows.map { .object($0.object) })],
            warnings: rows.compactMap { row in
                switch row.place {
                case "missing": "\(options.issuer) names key \(row.id), and it is nowhere"
                case "plain": "key \(row.id) is not sealed: billfold keys seal --issuer \(options.issuer)"
                default: nil
                }
            }, exitCode: rows.contains { $0.place == "missing" } ? 1 : 0)
    }
}

/// `keys issuer retire`: a key is removed.
struct IssuerKeysRetire: IssuerKeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Remove a key that the issuer's file does not name any more.",
        discussion: "Whoever still seals for the key, or has to verify what it made, cannot be answered afterwards.")

    @Argument(help: "The key's name.") var id: String
    @Option(help: IssuerKeyKind.help) var kind: IssuerKeyKind
    @OptionGroup var options: IssuerKeysOptions

    func reply(_ ring: IssuerKeyRing) async throws -> KeysReply {
        try ring.retire(KeyID(id), kind)
        return KeysReply(text: "\(id): retired", object: ["id": .text(id), "kind": .text(kind.rawValue), "use": .text("retired")])
    }
}

extension KeysReply {
    init(_ row: IssuerKeyRing.Row, how: String, more: [String: KeysValue]) {
        let what = row.checkValue.map { "check value \($0)" } ?? "publicKeyHash \(row.likeness)"
        self.init(
            text: "\(row.id): \(how) \(row.kind.rawValue) key, \(row.place); \(what)",
            object: row.object.merging(more) { known, _ in known })
        if row.place == "plain" { warnings.append("key \(row.id) is not sealed: name a key's file in \(KeyEncryptionKey.variable)") }
    }
}

extension IssuerKeyKind {
    /// Refuses with `visa-key-set-form` what no Visa key set is called.
    func id(_ text: String) throws -> KeyID {
        if self == .zone { _ = try VisaKeySet(text) }
        return KeyID(text)
    }
}
