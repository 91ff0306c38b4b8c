public import ApplePay
public import BillfoldPayments
public import BillfoldServer
public import Crypto
public import PaymentCrypto

/// What an issuer host is composed from, read once.
public struct ProvisioningConfiguration: Sendable {
    /// Keys of the host's own. They lie outside the database.
    public struct Keys: Sendable {
        package var audit: SymmetricKey
        package var hashing: HashingKey
        package var sealer: EnvelopeSealer

        /// - Parameters:
        ///   - audit: Keys the chain of what was done.
        ///   - hashing: For session tokens, API keys, card numbers and one-time codes.
        ///   - sealer: Seals card numbers and contacts.
        public init(audit: SymmetricKey, hashing: SymmetricKey, sealer: EnvelopeSealer) {
            self.audit = audit
            self.hashing = HashingKey(hashing)
            self.sealer = sealer
        }
    }

    package var mode: ServerMode
    package var issuer: BillfoldPayments.MerchantID
    package var programmes: [Programme]
    package var keys: Keys
    /// Which root the broker's certificates lead to.
    public var trust = ProvisioningTrust.production
    /// What the inner layers are made with.
    public var networkKeys = NetworkKeys()
    public var sessionLifetime: Duration = .seconds(900)
    /// How old what is stored of a customer's cards may be when the processor does not answer.
    package var cardMemory: Duration = .seconds(86_400)
    /// Pass-data requests for one card, before any cryptography. Each process counts its own.
    public var cardRate = RateLimit(perSecond: 1, burst: 10)
    /// Pass-data requests from one device of a customer, before any cryptography. Each process counts its own.
    public var deviceRate = RateLimit(perSecond: 1, burst: 20)
    /// How long a request's pass data may be in the making, tries of a card that changes included. The app has 20 seconds in all
    /// (provisioning.md#timings [I]).
    public var passDataBudget: Duration = .seconds(10)
    /// What tokens are decided by. Without it networks and back office find nothing here.
    public var tokens: TokenConfiguration?

    /// - Parameters:
    ///   - mode: Production refuses test anchors, and networks that are reached by plain HTTP.
    ///   - issuer: The bank: owner of audit and outbox rows.
    ///   - programmes: At least one; no two share an id, or a number prefix on the same network.
    ///   - keys: By which card numbers are sealed, secrets hashed and audit rows linked; the host's own.
    public init(mode: ServerMode, issuer: BillfoldPayments.MerchantID, programmes: [Programme], keys: Keys) {
        self.mode = mode
        self.issuer = issuer
        self.programmes = programmes
        self.keys = keys
    }

    /// Refuses with `configuration-invalid` what cannot be served: no programme, two of one id, a number that belongs to two.
    package func validate() throws(ProvisioningError) {
        func invalid(_ reason: String) -> ProvisioningError { ProvisioningError(code: .configurationInvalid, reason: reason) }
        guard !programmes.isEmpty else { throw invalid("no programme is configured") }
        guard Set(programmes.map(\.id)).count == programmes.count else { throw invalid("two programmes share an id") }
        for programme in programmes {
            guard !programme.numberPrefixes.isEmpty,
                programme.numberPrefixes.allSatisfy({ (4...8).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
                )
            else { throw invalid("programme \(programme.id): number prefixes are 4 to 8 digits, one at least") }
            if case .encryptedFPAN(let digits) = programme.payload {
                guard programme.network == .visa, (6...8).contains(digits) else {
                    throw invalid("programme \(programme.id): the encrypted form is Visa's, with a prefix of 6 to 8 digits")
                }
            }
        }
        let prefixes = programmes.flatMap { programme in programme.numberPrefixes.map { "\(programme.network) \($0)" } }
        guard Set(prefixes).count == prefixes.count else { throw invalid("two programmes share a number prefix") }
        guard mode == .test || trust.name == ProvisioningTrust.production.name else {
            throw invalid("test anchors exist in test mode only")
        }
        try tokens?.validate(mode)
        guard passDataBudget < .seconds(20) else { throw invalid("the wallet waits 20 seconds; the budget has to be shorter") }
    }
}
