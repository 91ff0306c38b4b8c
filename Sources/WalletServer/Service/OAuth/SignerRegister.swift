import BillfoldJSON
import BillfoldStorage
import Synchronization

/// Clients and authors, read from the store at each call and parsed once per version of their rows.
final class SignerRegister: Sendable {
    private let database: any Database
    private let parsed = Mutex<[String: (version: Int64, party: SignedParty)]>([:])
    /// Of at most so many parties.
    private static let capacity = 4_096

    init(database: any Database) { self.database = database }

    func party(_ kind: SignerRecords.Kind, _ id: String) async throws -> SignedParty? {
        guard let row = try await database.lookup({ try SignerRecords.find(kind, id, in: $0) }) else { return nil }
        let name = "\(kind.rawValue)\u{0}\(id)"
        if let known = parsed.withLock({ $0[name] }), known.version == row.version { return known.party }
        let party = try Self.read(kind, row.document)
        parsed.withLock { all in
            if all.count >= Self.capacity { all.removeAll() }
            all[name] = (row.version, party)
        }
        return party
    }

    /// What an id stands for that no party was found by.
    func named(_ id: String) async throws -> NamedParty { try await database.lookup { try NamedParty(id, in: $0) } }

    private static func read(_ kind: SignerRecords.Kind, _ document: [UInt8]) throws -> SignedParty {
        let (who, keys): (SignedParty.Who, [CallKey])
        switch kind {
        case .client:
            let client = try JSONDocument.decode(OAuthClient.self, document)
            (who, keys) = (.client(client), client.keys)
        case .author:
            let author = try JSONDocument.decode(MiniProgramAuthor.self, document)
            (who, keys) = (.author(author), author.keys)
        }
        guard let ring = CallKey.ring(keys) else {
            throw WalletError(code: .corruptRecord, reason: "a party's keys do not read back")
        }
        return SignedParty(who: who, keys: ring)
    }
}
