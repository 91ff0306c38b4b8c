/// A card scheme by PassKit's own raw value, which is also what a token's `paymentMethod.network` says.
public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let amex = Self("AmEx")
    public static let bancomat = Self("Bancomat")
    public static let bancontact = Self("Bancontact")
    public static let cartesBancaires = Self("CartesBancaires")
    public static let chinaUnionPay = Self("ChinaUnionPay")
    public static let dankort = Self("Dankort")
    public static let discover = Self("Discover")
    public static let eftpos = Self("Eftpos")
    public static let electron = Self("Electron")
    public static let elo = Self("Elo")
    public static let girocard = Self("girocard")
    public static let interac = Self("Interac")
    public static let JCB = Self("JCB")
    public static let mada = Self("Mada")
    public static let maestro = Self("Maestro")
    public static let masterCard = Self("MasterCard")
    public static let mir = Self("Mir")
    public static let privateLabel = Self("PrivateLabel")
    public static let visa = Self("Visa")
    public static let vPay = Self("VPay")

    /// The schemes that the simulated system knows.
    static let known: [PKPaymentNetwork] = [
        .amex, .bancomat, .bancontact, .cartesBancaires, .chinaUnionPay, .dankort, .discover, .eftpos, .electron, .elo, .girocard,
        .interac, .JCB, .mada, .maestro, .masterCard, .mir, .privateLabel, .visa, .vPay,
    ]
}
