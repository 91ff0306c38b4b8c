public import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage

/// Who calls this host with a key of its own.
public enum ProvisioningCaller: Sendable, Hashable {
    /// The bank's back end, which opens sessions for customers that it has logged in.
    case bank
    /// A card network.
    case network(CardScheme)

    var text: String {
        switch self {
        case .bank: "bank"
        case .network(let scheme): "network:\(scheme.rawValue)"
        }
    }

    init?(text: String) {
        if text == "bank" {
            self = .bank
        } else if text.hasPrefix("network:"), let scheme = CardScheme(rawValue: String(text.dropFirst(8))) {
            self = .network(scheme)
        } else {
            return nil
        }
    }
}

/// The keys of the bank's back end and of the networks. Only a keyed hash of each is stored.
public struct CallerKeys: Sendable {
    let database: any Database
    let hashing: HashingKey
    let clock: any WallClock

    /// Makes these keys the only ones that are usable, in one write: a key that is not named ends, one that had ended and is named again
    /// is usable. Refuses with `configuration-invalid` a key that is short enough to be guessed, and one of two callers.
    public func replace(with keys: [(caller: ProvisioningCaller, key: Secret<String>)]) async throws {
        for (_, key) in keys { try Self.check(key) }
        let rows = keys.map { (caller: $0.caller.text, hash: hash($0.key.reveal())) }
        guard Set(rows.map(\.hash.bytes)).count == rows.count else {
            throw ProvisioningError(code: .configurationInvalid, reason: "two callers have the same API key")
        }
        let now = clock.now()
        try await database.writeRepeatably { tx in
            try CallerKeyRecords.revokeAll(at: now, in: tx)
            for (caller, hash) in rows { try CallerKeyRecords.use(hash, for: caller, at: now, in: tx) }
        }
    }

    private static func check(_ key: Secret<String>) throws(ProvisioningError) {
        guard key.reveal().utf8.count >= 24 else {
            throw ProvisioningError(code: .configurationInvalid, reason: "an API key has at least 24 bytes")
        }
    }

    /// Makes a key usable beside the others. Doing it again changes nothing. Refuses one that is short enough to be guessed.
    public func add(_ key: Secret<String>, for caller: ProvisioningCaller) async throws {
        try Self.check(key)
        let (hash, now) = (hash(key.reveal()), clock.now())
        try await database.writeRepeatably { tx in
            _ = try CallerKeyRecords.insert(hash, for: caller.text, at: now, in: tx)
        }
    }

    /// Ends a key. Returns false when it was not in use.
    public func revoke(_ key: Secret<String>) async throws -> Bool {
        let (hash, now) = (hash(key.reveal()), clock.now())
        return try await database.write { tx in
            try CallerKeyRecords.revoke(hash, at: now, in: tx)
        }
    }

    /// Whose key a bearer is; `nil` for a key that is unknown or was ended.
    func caller(bearer: String) async throws -> ProvisioningCaller? {
        let hash = hash(bearer)
        return try await database.lookup { tx in
            try CallerKeyRecords.caller(of: hash, in: tx).flatMap(ProvisioningCaller.init(text:))
        }
    }

    /// Refuses with `unauthorized` whoever is not the bank's back end, and says what was shown in place of its key.
    func requireBank(_ bearer: String?) async throws { _ = try await require(bearer, "the bank's API key") { $0 == .bank } }

    /// Whose of the callers that are wanted a bearer is. Refuses with `unauthorized`.
    ///
    /// - Parameters:
    ///   - bearer: What the request shows.
    ///   - wanted: Whose key it has to be, in words.
    ///   - isWanted: Whether a caller is one of them.
    func require(
        _ bearer: String?, _ wanted: String, where isWanted: (ProvisioningCaller) -> Bool
    ) async throws -> ProvisioningCaller {
        guard let bearer else { throw AppSessions.unauthorized(.nothing, wanted) }
        if let caller = try await caller(bearer: bearer) {
            guard isWanted(caller) else { throw AppSessions.unauthorized(.otherKey, wanted) }
            return caller
        }
        guard !bearer.hasPrefix("pst_") else { throw AppSessions.unauthorized(.sessionToken, wanted) }
        let hash = hash(bearer)
        let hasEnded = try await database.lookup { tx in try CallerKeyRecords.hasEnded(hash, in: tx) }
        throw AppSessions.unauthorized(hasEnded ? .endedKey : .unknownKey, wanted)
    }

    private func hash(_ key: String) -> KeyedHash { KeyedHash(of: key.utf8, purpose: "caller-key", key: hashing) }
}
