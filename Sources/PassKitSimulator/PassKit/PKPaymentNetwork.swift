/// A card scheme by PassKit's own raw value, which is also what a token's `paymentMethod.network` says.
public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let amex = Self("AmEx")
    public static let bancomat = Self("Bancomat")
    public static let bancontact = Self("Bancontact")
    public static let bankAxept = Self("BankAxept")
    public static let barcode = Self("Barcode")
    public static let carteBancaire = Self("CarteBancaire")
    public static let carteBancaires = Self("CarteBancaires")
    public static let cartesBancaires = Self("CartesBancaires")
    public static let chinaUnionPay = Self("ChinaUnionPay")
    public static let conecs = Self("Conecs")
    public static let dankort = Self("Dankort")
    public static let discover = Self("Discover")
    public static let eftpos = Self("Eftpos")
    public static let electron = Self("Electron")
    public static let elo = Self("Elo")
    public static let girocard = Self("girocard")
    public static let himyan = Self("Himyan")
    public static let idCredit = Self("iD")
    public static let interac = Self("Interac")
    public static let jaywan = Self("Jaywan")
    public static let JCB = Self("JCB")
    public static let mada = Self("Mada")
    public static let maestro = Self("Maestro")
    public static let masterCard = Self("MasterCard")
    public static let meeza = Self("Meeza")
    public static let mir = Self("Mir")
    public static let myDebit = Self("MyDebit")
    public static let nanaco = Self("Nanaco")
    public static let NAPAS = Self("NAPAS")
    public static let pagoBancomat = Self("PagoBancomat")
    public static let postFinance = Self("PostFinanceAG")
    public static let privateLabel = Self("PrivateLabel")
    public static let quicPay = Self("QUICPay")
    public static let suica = Self("Suica")
    public static let tmoney = Self("Tmoney")
    public static let visa = Self("Visa")
    public static let vPay = Self("VPay")
    public static let waon = Self("Waon")

    /// The schemes that the simulated system knows.
    static let known: [PKPaymentNetwork] = [
        .amex, .bancomat, .bancontact, .cartesBancaires, .chinaUnionPay, .dankort, .discover, .eftpos, .electron, .elo, .girocard,
        .interac, .JCB, .mada, .maestro, .masterCard, .mir, .privateLabel, .visa, .vPay,
    ]
}
