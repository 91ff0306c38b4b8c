/// What a bank has agreed with one network for a range of its cards.
public struct Programme: Sendable, Hashable {
    /// What goes into the encrypted pass data; agreed with the network (provisioning.md#pass-data).
    public enum PayloadForm: Sendable, Hashable {
        /// Number, expiry and name in the outer layer alone.
        case fpan
        /// Visa: the number sealed for the network as well, and its first digits in clear.
        case encryptedFPAN(prefixDigits: Int)
    }

    /// `visa-credit`; a name of the bank's own.
    public var id: String
    public var network: CardScheme
    /// The first digits of the numbers that belong here, 4 to 8 each.
    public var numberPrefixes: [String]
    public var displayName: String
    public var payload: PayloadForm
    /// `EV_ECC_v2`, or `EV_RSA_v2` where Apple has agreed to it; the latter is unconfirmed (provisioning.md#rsa_v2).
    public var encryptionScheme: String
    /// Names of card pictures for the introduction screen.
    public var productIdentifiers: [String] = []
    public var requiresFelicaSecureElement = false

    public init(
        id: String, network: CardScheme, numberPrefixes: [String], displayName: String, payload: PayloadForm,
        encryptionScheme: String = "EV_ECC_v2"
    ) {
        self.id = id
        self.network = network
        self.numberPrefixes = numberPrefixes
        self.displayName = displayName
        self.payload = payload
        self.encryptionScheme = encryptionScheme
    }
}
