import AlipayPlus
import BillfoldMoney

/// The acquirer's contract with Alipay+, and its one merchant. The ids are made up.
enum AcquirerContract {
    static let clientID = "SANDBOX_ACQP_HARBOUR"
    static let acquirerID = "1022188000000201"
    static let name = "Harbour Acquiring"
    static let settlement = Currency.sgd
    static let agreementID = "AGR-HARBOUR-SGD"
    /// What Alipay+ keeps, in hundredths of the settlement, rounded half up.
    static let feePercent = "0.8"
    /// `referenceMerchantId`.
    static let merchantID = "MER-PIER-NINE"
    static let merchantName = "Pier Nine"
    static let merchantMCC = "5499"

    /// What the acquirer registers itself at the gateway with.
    struct Wish: Encodable, Sendable {
        struct Merchant: Encodable, Sendable {
            var id: String
            var name: String
            var mcc: String
        }
        var clientId: String
        var acquirerId: String
        var name: String
        var keys: [AlipayPlusRegistration.Key]
        var notifyUrl: String
        var origins: [String]
        var settlementCurrency: String
        var agreementId: String
        var feePercent: String
        var merchants: [Merchant]
    }

    /// - Parameters:
    ///   - origin: The acquirer's own, as the gateway reaches it.
    ///   - shop: The merchant's, as browsers reach it.
    static func wish(_ identity: AlipayPlusIdentity, origin: String, shop: String) -> Wish {
        Wish(
            clientId: clientID, acquirerId: acquirerID, name: name, keys: [.init(identity)], notifyUrl: origin + AcquirerRoutes.notifyPath,
            origins: Array(Set([origin, shop])).sorted(), settlementCurrency: settlement.alphabeticCode, agreementId: agreementID,
            feePercent: feePercent, merchants: [.init(id: merchantID, name: merchantName, mcc: merchantMCC)])
    }
}

/// Something that the merchant sells, one piece at a time.
struct PlusOffer: Sendable, Hashable {
    var id: String
    var name: String
    var summary: String
    var price: Amount
    /// A picture below `/assets/shop/`.
    var picture: String

    static let all = [
        PlusOffer(
            id: "kaya-box", name: "Kaya gift box", summary: "Four jars of coconut jam, made this week.",
            price: Amount(minorUnits: 3_880, currency: .sgd), picture: "tray.svg"),
        PlusOffer(
            id: "harbour-print", name: "Harbour print", summary: "A woodcut of the pier, signed, in a tube.",
            price: Amount(minorUnits: 12_000, currency: .sgd), picture: "cards.svg"),
        PlusOffer(
            id: "night-tea", name: "Night tea", summary: "Roasted oolong from the hills. Priced in Hong Kong dollars.",
            price: Amount(minorUnits: 16_800, currency: .hkd), picture: "tea.svg"),
        PlusOffer(
            id: "cup", name: "Travel cup", summary: "Priced in yen, which have no smaller coin.",
            price: Amount(minorUnits: 2_400, currency: .jpy), picture: "cup.svg"),
    ]

    static func find(_ id: String) -> PlusOffer? { all.first { $0.id == id } }
}
