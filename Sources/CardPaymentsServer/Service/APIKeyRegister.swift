public import BillfoldDiagnosis
public import BillfoldPayments
public import BillfoldStorage

/// The API keys of shops. Only a keyed hash of each is stored; the key itself is shown once, to whoever asked for it.
public struct APIKeyRegister: Sendable {
    private let database: any Database
    private let hashing: HashingKey
    private let clock: any WallClock

    /// - Parameters:
    ///   - database: The card-payments store, on which the server's migrations have run.
    ///   - hashing: ``CardPaymentsConfiguration/Keys/hashing`` of the servers on the same store.
    ///   - clock: Gives the times at which keys are added and ended.
    public init(database: any Database, hashing: HashingKey, clock: any WallClock) {
        self.database = database
        self.hashing = hashing
        self.clock = clock
    }

    /// Makes a key usable. Doing it again changes nothing. Refuses one that is short enough to be guessed.
    public func add(_ key: Secret<String>, merchant: BillfoldPayments.MerchantID, label: String) async throws {
        guard key.reveal().utf8.count >= 24 else {
            throw CardPaymentsError(code: .configurationInvalid, reason: "an API key has at least 24 bytes")
        }
        let (hash, now) = (hash(key.reveal()), clock.now())
        try await database.write { tx in
            try CardPaymentsRecords.insert(apiKey: hash, merchant: merchant, label: label, at: now, in: tx)
        }
    }

    /// Ends a key. Returns false when it was not in use.
    public func revoke(_ key: Secret<String>) async throws -> Bool {
        let (hash, now) = (hash(key.reveal()), clock.now())
        return try await database.write { tx in try CardPaymentsRecords.revoke(apiKey: hash, at: now, in: tx) }
    }

    /// Ends every key of a merchant with that label, and returns how many were in use.
    public func revoke(label: String, merchant: BillfoldPayments.MerchantID) async throws -> Int {
        let now = clock.now()
        return try await database.write { tx in
            try CardPaymentsRecords.revokeAPIKeys(label: label, merchant: merchant, at: now, in: tx)
        }
    }

    func merchant(of key: String) async throws -> BillfoldPayments.MerchantID? {
        let hash = hash(key)
        return try await database.lookup { tx in try CardPaymentsRecords.merchant(apiKey: hash, in: tx) }
    }

    /// Whether a key was in use once, and is not any more.
    func hasEnded(_ key: String) async throws -> Bool {
        let hash = hash(key)
        return try await database.lookup { tx in try CardPaymentsRecords.hasEnded(apiKey: hash, in: tx) }
    }

    private func hash(_ key: String) -> KeyedHash {
        KeyedHash(of: key.utf8, purpose: "api-key", key: hashing)
    }
}
