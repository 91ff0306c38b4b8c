import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import Synchronization

/// The parties: their rows' versions are read at each request, the rows themselves once per version.
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
    /// All wallets as they were when they were last asked for.
    private let listed = Mutex<(generation: Int64, wallets: [PartnerWallet])?>(nil)
    /// Of at most so many parties.
    private static let capacity = 4_096

    init(database: any Database) { self.database = database }

    func party(clientID: String) async throws -> Known? {
        try await database.lookup { tx in
            guard let version = try PartyRecords.version(clientID: clientID, in: tx) else { return nil }
            if let held = self.parsed.withLock({ $0[clientID] }), held.version == version { return held.value }
            return try PartyRecords.find(clientID: clientID, in: tx).map(self.known)
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

    func wallets(of generations: Generations, in tx: any Transaction) throws -> [PartnerWallet] {
        if let listed = listed.withLock({ $0 }), listed.generation == generations.parties { return listed.wallets }
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
