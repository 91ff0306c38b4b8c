public import Foundation

/// A card in the simulated wallet, as the sheet and the app see it. Numbers and keys are the wallet's business.
public struct WalletCard: Sendable, Hashable, Identifiable {
    /// The wallet's own name for the card; handed back to the ``PaymentTokenSource``.
    public var id: String
    public var issuer: String
    /// The last four digits, for display.
    public var suffix: String
    public var network: PKPaymentNetwork
    public var type: PKPaymentMethodType
    /// What the card can do. A China UnionPay card answers only to `emv` (apple-pay.md#capabilities [O]).
    public var capabilities: PKMerchantCapability
    public var pinRule: PINRule?
    public var billingContact: SimulatedContact?

    /// When the issuer wants its six-digit PIN: above a limit, or in a foreign currency (apple-pay.md#authorisation [O]).
    public struct PINRule: Sendable, Hashable {
        public var currencyCode: String
        /// In major units of that currency; the PIN is asked for amounts above it.
        public var limit: Decimal

        public init(currencyCode: String, limit: Decimal) {
            self.currencyCode = currencyCode
            self.limit = limit
        }

        func asks(for amount: Decimal, currencyCode: String) -> Bool { currencyCode != self.currencyCode || amount > limit }
    }

    public init(
        id: String, issuer: String, suffix: String, network: PKPaymentNetwork, type: PKPaymentMethodType,
        capabilities: PKMerchantCapability? = nil, pinRule: PINRule? = nil, billingContact: SimulatedContact? = nil
    ) {
        self.id = id
        self.issuer = issuer
        self.suffix = suffix
        self.network = network
        self.type = type
        let side: PKMerchantCapability = type == .debit ? .debit : .credit
        self.capabilities = capabilities ?? (network == .chinaUnionPay ? [.emv, side] : [.threeDSecure, side])
        self.pinRule = pinRule
        self.billingContact = billingContact
    }

    /// As PassKit shows it after authorisation: network and last four digits.
    public var displayName: String { "\(network.rawValue) \(suffix)" }

    func fits(networks: [PKPaymentNetwork], capabilities wanted: PKMerchantCapability) -> Bool {
        guard isOffered(networks: networks, capabilities: wanted) else { return false }
        let protocols = capabilities.intersection([.threeDSecure, .emv])
        // No capabilities named: any card of the network will do.
        return wanted.isEmpty || !wanted.isDisjoint(with: protocols)
    }

    /// Whether the sheet lists the card. It does not look at 3-D Secure and EMV, which is how a UnionPay card can be
    /// chosen in a request that cannot take it (apple-pay.md#capabilities [O]).
    func isOffered(networks: [PKPaymentNetwork], capabilities wanted: PKMerchantCapability) -> Bool {
        let sides = wanted.intersection([.credit, .debit])
        return networks.contains(network) && (sides.isEmpty || !sides.isDisjoint(with: capabilities))
    }
}
