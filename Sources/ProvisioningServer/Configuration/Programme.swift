/// What a bank has agreed with one network for a range of its cards.
public struct Programme: Sendable, Hashable {
    /// What goes into the encrypted pass data; agreed with the network (provisioning.md#pass-data).
    public enum PayloadForm: Sendable, Hashable {
        /// Number, expiry and name in the outer layer alone.
        case fpan
        /// Visa: the number sealed for the network as well, and its first digits in clear.
        case encryptedFPAN(prefixDigits: Int)
    }

    package var id: String
    package var network: CardScheme
    package var numberPrefixes: [String]
    package var displayName: String
    package var payload: PayloadForm
    package var encryptionScheme: String
    /// Names of card pictures for the introduction screen.
    public var productIdentifiers: [String] = []
    public var requiresFelicaSecureElement = false

    /// - Parameters:
    ///   - id: `visa-credit`; a name of the bank's own.
    ///   - network: Whose cards these are.
    ///   - numberPrefixes: The first digits of the numbers that belong here, 4 to 8 each.
    ///   - displayName: What customers call the card.
    ///   - payload: What goes into the encrypted pass data.
    ///   - encryptionScheme: `EV_ECC_v2`, or `EV_RSA_v2` where Apple has agreed to it; the latter is unconfirmed (provisioning.md#rsa_v2).
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
