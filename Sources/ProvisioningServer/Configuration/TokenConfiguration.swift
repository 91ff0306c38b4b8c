public import BillfoldDiagnosis
import BillfoldServer
public import PaymentCrypto

/// What an issuer host decides about tokens by, and whom it tells.
public struct TokenConfiguration: Sendable {
    /// A network's interface for issuers.
    public struct Network: Sendable {
        package var origin: String
        package var credential: Secret<String>

        /// - Parameters:
        ///   - origin: Without a slash at its end; `/issuer/v1` follows.
        ///   - credential: What the network knows us by.
        public init(origin: String, credential: Secret<String>) {
            self.origin = origin
            self.credential = credential
        }
    }

    package var decisionKeys: [P256PrivateKey]
    package var networks: [CardScheme: Network]
    package var messenger: any CustomerMessenger
    /// Shows notices in the bank's app; `nil` where the messenger brings them alone.
    package var pusher: (any CustomerPusher)?
    /// By programme; others are decided by ``defaultPolicy``.
    public var policies: [String: DecisionPolicy] = [:]
    public var defaultPolicy = DecisionPolicy()
    /// One-time codes for one token within ``codeWindow``.
    public var codesPerToken = 3
    public var codeWindow: Duration = .seconds(3_600)
    /// One-time codes for all tokens of a card within ``cardCodeWindow``: a new device makes a new token, and each code is worth three
    /// guesses (provisioning.md#one-time-codes [I]).
    public var codesPerCard = 10
    public var cardCodeWindow: Duration = .seconds(24 * 3_600)
    /// How old the bank's code in activation data may be.
    package var activationLifetime: Duration = .seconds(30 * 60)
    /// How long a token that was let in counts among the card's while the network tells nothing of it.
    package var untoldLifetime: Duration = .seconds(24 * 3_600)
    /// How long the processor has to say how a card stands before a decision is made by what is stored. A network waits for the answer. [I]
    public var processorBudget: Duration = .seconds(2)
    /// How often the processor is asked for what changed; `nil` where it is not.
    package var changeInterval: Duration?
    /// How long a network has for one answer.
    package var answerTimeout: Duration = .seconds(10)

    /// - Parameters:
    ///   - decisionKeys: Open the account numbers that networks send, the newest first.
    ///   - networks: Where each network is asked and told about tokens; one that is not listed is never called.
    ///   - messenger: Brings one-time codes and notices to customers.
    public init(decisionKeys: [P256PrivateKey], networks: [CardScheme: Network], messenger: any CustomerMessenger) {
        self.decisionKeys = decisionKeys
        self.networks = networks
        self.messenger = messenger
    }

    /// Refuses what cannot be served safely: no key for what networks send, limits that let nothing through, plain HTTP in production.
    func validate(_ mode: ServerMode) throws(ProvisioningError) {
        func invalid(_ reason: String) -> ProvisioningError { ProvisioningError(code: .configurationInvalid, reason: reason) }
        guard !decisionKeys.isEmpty else { throw invalid("no key opens the account numbers that networks send") }
        guard codesPerToken > 0, codeWindow > .zero, codesPerCard > 0, cardCodeWindow > .zero else {
            throw invalid("no one-time code could ever be sent")
        }
        guard mode == .test || networks.values.allSatisfy({ $0.origin.hasPrefix("https://") }) else {
            throw invalid("production speaks HTTPS only")
        }
    }
}
