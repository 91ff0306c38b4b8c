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

    private let database: any Database
    private let parsed = Mutex<[String: (version: Int64, value: Known)]>([:])
    /// Those that were asked for by their client ids, as they were in a generation.
    private let callers = Mutex<(generation: Int64, known: [String: Known])>((0, [:]))
    /// All wallets as they were when they were last asked for.
    private let listed = Mutex<(generation: Int64, wallets: [PartnerWallet])?>(nil)
    /// Of at most so many parties.
    private static let capacity = 4_096

    init(database: any Database) { self.database = database }

    /// A party by its client id, and what the store has of all parties and rates at this moment.
    func party(clientID: String) async throws -> (known: Known?, generations: Generations) {
        try await database.lookup { tx in
            let generations = try Generations(reading: tx)
            let held = self.callers.withLock { $0.generation == generations.parties ? $0.known[clientID] : nil }
            if let held { return (held, generations) }
            let known = try PartyRecords.find(clientID: clientID, in: tx).map(self.known)
            self.callers.withLock { callers in
                if callers.generation != generations.parties { callers = (generations.parties, [:]) }
                // A stranger's id is not held.
                guard let known, callers.known.count < Self.capacity else { return }
                callers.known[clientID] = known
            }
            return (known, generations)
        }
    }

    func acquirer(_ id: MerchantID) async throws -> Acquirer? {
        guard let row = try await database.lookup({ try PartyRecords.find(.acquirer, name: id.description, in: $0) }),
            case .acquirer(let acquirer) = try known(row).party
        else { return nil }
        return acquirer
    }

    /// By its payment method type, with its keys.
    func wallet(_ type: String) async throws -> (wallet: PartnerWallet, keys: AlipayPlusKeyVersions)? {
        guard let row = try await database.lookup({ try PartyRecords.find(.wallet, name: type, in: $0) }) else { return nil }
        let known = try known(row)
        guard case .wallet(let wallet) = known.party else { return nil }
        return (wallet, known.keys)
    }

    /// All wallets, by their types' names.
    func wallets() async throws -> [PartnerWallet] {
        try await database.lookup { try self.wallets(of: Generations(reading: $0), in: $0) }
    }

    /// All wallets of a generation, where they are held.
    func heldWallets(of generations: Generations) -> [PartnerWallet]? {
        listed.withLock { $0?.generation == generations.parties ? $0?.wallets : nil }
    }

    func wallets(of generations: Generations, in tx: any Transaction) throws -> [PartnerWallet] {
        if let held = heldWallets(of: generations) { return held }
        let wallets = try PartyRecords.all(.wallet, in: tx).compactMap { row -> PartnerWallet? in
            if case .wallet(let wallet) = try known(row).party { wallet } else { nil }
        }
        listed.withLock { $0 = (generations.parties, wallets) }
        return wallets
    }

    func acquirers() async throws -> [Acquirer] {
        try await database.lookup { try PartyRecords.all(.acquirer, in: $0) }.compactMap { row -> Acquirer? in
            if case .acquirer(let acquirer) = try known(row).party { acquirer } else { nil }
        }
    }

    private func known(_ row: PartyRecords.Found) throws -> Known {
        if let known = parsed.withLock({ $0[row.clientID] }), known.version == row.version { return known.value }
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
            all[row.clientID] = (row.version, known)
        }
        return known
    }
}
