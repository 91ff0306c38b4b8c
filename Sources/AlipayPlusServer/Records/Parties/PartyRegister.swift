import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import Synchronization

/// The parties: each request reads whether any has changed, and a row is read once per version of its own.
final class PartyRegister: Sendable {
    enum Party: Sendable {
        case acquirer(Acquirer)
        case wallet(PartnerWallet)
    }

    struct Known: Sendable {
        var party: Party
        var keys: AlipayPlusKeyVersions
    }

    private struct Parsed {
        var version: Int64
        /// The generation that it is known to be of; nil where none was read.
        var generation: Int64?
        var value: Known
    }

    private let database: any Database
    /// By client id.
    private let parsed = Mutex<[String: Parsed]>([:])
    /// All wallets as they were when they were last asked for.
    private let listed = Mutex<(generation: Int64, wallets: [PartnerWallet])?>(nil)
    /// Of at most so many parties.
    private static let capacity = 4_096

    init(database: any Database) { self.database = database }

    /// A party by its client id.
    func party(clientID: String) async throws -> Known? {
        try await database.lookup { tx in
            let generation = try Generations(reading: tx).parties
            if let held = self.parsed.withLock({ $0[clientID] }), held.generation == generation { return held.value }
            return try AlipayPlusPartyRecords.find(clientID: clientID, in: tx).map { try self.known($0, of: generation) }
        }
    }

    func acquirer(_ id: MerchantID) async throws -> Acquirer? {
        guard let row = try await database.lookup({ try AlipayPlusPartyRecords.find(.acquirer, name: id.description, in: $0) }),
            case .acquirer(let acquirer) = try known(row).party
        else { return nil }
        return acquirer
    }

    /// By its payment method type, with its keys.
    func wallet(_ type: String) async throws -> (wallet: PartnerWallet, keys: AlipayPlusKeyVersions)? {
        guard let row = try await database.lookup({ try AlipayPlusPartyRecords.find(.wallet, name: type, in: $0) }) else { return nil }
        let known = try known(row)
        guard case .wallet(let wallet) = known.party else { return nil }
        return (wallet, known.keys)
    }

    /// All wallets, by their types' names.
    func wallets() async throws -> [PartnerWallet] {
        try await database.lookup { try self.wallets(of: Generations(reading: $0), in: $0) }
    }

    /// All wallets as they are in a transaction that has read the generations first.
    func wallets(of generations: Generations, in tx: any Transaction) throws -> [PartnerWallet] {
        if let held = listed.withLock({ $0 }), held.generation == generations.parties { return held.wallets }
        let wallets = try AlipayPlusPartyRecords.all(.wallet, in: tx).compactMap { row -> PartnerWallet? in
            if case .wallet(let wallet) = try known(row, of: generations.parties).party { wallet } else { nil }
        }
        listed.withLock { $0 = (generations.parties, wallets) }
        return wallets
    }

    func acquirers() async throws -> [Acquirer] {
        try await database.lookup { try AlipayPlusPartyRecords.all(.acquirer, in: $0) }.compactMap { row -> Acquirer? in
            if case .acquirer(let acquirer) = try known(row).party { acquirer } else { nil }
        }
    }

    /// Reads a row where its version is not held, and holds it: as of a generation, where that was read before the row.
    private func known(_ row: AlipayPlusPartyRecords.Found, of generation: Int64? = nil) throws -> Known {
        let held = parsed.withLock { all -> Known? in
            guard let held = all[row.clientID], held.version == row.version else { return nil }
            if let generation { all[row.clientID]?.generation = generation }
            return held.value
        }
        if let held { return held }
        let known: Known
        switch row.side {
        case .acquirer:
            let acquirer = try JSONDocument.decode(Acquirer.self, row.document)
            known = Known(party: .acquirer(acquirer), keys: try PartyKey.ring(acquirer.keys))
        case .wallet:
            let wallet = try JSONDocument.decode(PartnerWallet.self, row.document)
            known = Known(party: .wallet(wallet), keys: try PartyKey.ring(wallet.keys))
        }
        parsed.withLock { all in
            if all.count >= Self.capacity { all.removeAll() }
            all[row.clientID] = Parsed(version: row.version, generation: generation, value: known)
        }
        return known
    }
}
