import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import PaymentCrypto

/// Registers acquirers and wallets: over HTTP in test mode, from the parties' file in production. Doing it again with the same ids replaces
/// the party's own data.
package struct PartyOnboarding: Sendable {
    let context: AlipayPlusServerContext

    /// What a party needs to know of the gateway.
    package struct Registered: Encodable, Sendable {
        package struct Key: Encodable, Sendable {
            package var version: Int
            /// PEM.
            package var publicKey: String
        }

        package var clientId: String
        /// Where the API is.
        package var origin: String
        /// What the gateway signs with for this side.
        package var gatewayKeys: [Key]
    }

    /// Reads and registers an acquirer: `{"clientId","acquirerId","name","keys":[{"version","publicKey"}],"notifyUrl"?,"origins"?,
    /// "addresses"?,"settlementCurrency","agreementId","feePercent"?,"merchants":[{"id","name","mcc"}],"wallets"?,
    /// "acknowledgement"?}`.
    package func registerAcquirer(_ body: [UInt8]) async throws -> Registered {
        try await register(AcquirerWish.read(PartyReader(body, allowing: AcquirerWish.members)))
    }

    /// Reads and registers a wallet.
    package func registerWallet(_ body: [UInt8]) async throws -> Registered {
        try await register(PartnerWalletWish.read(PartyReader(body, allowing: PartnerWalletWish.members)))
    }

    package func register(_ acquirer: Acquirer) async throws -> Registered {
        guard context.configuration.mode == .test || acquirer.privateOrigins.isEmpty else {
            throw AlipayPlusServerError(code: .configurationInvalid, reason: "private origins are registered in test mode only")
        }
        if let url = acquirer.notifyURL, let problem = context.addresses.problem(with: url, registered: Set(acquirer.privateOrigins)) {
            throw AlipayPlusServerError(code: .malformedRequest, reason: "notifyUrl is refused: \(problem)")
        }
        try await store(JSONDocument.encode(acquirer), of: acquirer.clientID, as: .acquirer, name: acquirer.id.description)
        return registered(acquirer.clientID, isWallet: false)
    }

    package func register(_ wallet: PartnerWallet) async throws -> Registered {
        guard context.configuration.mode == .test || wallet.origin.hasPrefix("https://") else {
            throw AlipayPlusServerError(code: .configurationInvalid, reason: "production speaks HTTPS only")
        }
        try await store(JSONDocument.encode(wallet), of: wallet.clientID, as: .wallet, name: wallet.type)
        return registered(wallet.clientID, isWallet: true)
    }

    private func store(_ document: [UInt8], of clientID: String, as side: AlipayPlusPartyRecords.Side, name: String) async throws {
        // A test installation's clients are known by their names (alipay-plus.md#identifiers [D]).
        guard context.configuration.mode == .production || clientID.hasPrefix("SANDBOX_") else {
            throw AlipayPlusServerError(code: .malformedRequest, reason: "in test mode a clientId begins with SANDBOX_")
        }
        let now = context.clock.now()
        try await context.database.writeRepeatably { tx in
            try AlipayPlusPartyRecords.put(document, clientID: clientID, side: side, name: name, at: now, in: tx)
        }
    }

    private func registered(_ clientID: String, isWallet: Bool) -> Registered {
        let keys = context.configuration.keys
        let key = isWallet ? keys.walletSide.publicKey : keys.acquirerSide.publicKey
        return Registered(
            clientId: clientID, origin: context.configuration.origin, gatewayKeys: [.init(version: keys.keyVersion, publicKey: key.pem)])
    }
}
