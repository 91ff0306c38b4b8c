import AlipayPlus
import BillfoldMoney

/// A wallet that the sandbox plays: where it is at home, how much it takes and in which ways. Names and ids are those of the published
/// list (alipay-plus.md#wallets [D]); the currencies [I], the limits [I].
struct MobileWalletProfile: Sendable, Hashable {
    /// A customer whom everybody may play.
    struct Person: Sendable, Hashable {
        /// `customerId`.
        var id: String
        var name: String
        /// Six digits.
        var pin: String
        /// What they have at first, in minor units.
        var balance: Int64
    }

    /// What is taken off a payment, on whose account.
    struct Offer: Sendable, Hashable {
        enum Funder: String, Sendable, Hashable {
            case alipayPlus = "ALIPAY_PLUS"
            case wallet = "WALLET"
        }
        var id: String
        var name: String
        var funder: Funder
        /// Minor units.
        var off: Int64
        /// The least amount that it holds for, in minor units.
        var minimum: Int64
    }

    /// `paymentMethodType`.
    var type: String
    var brand: String
    /// Two letters.
    var region: String
    var currency: Currency
    /// Of one payment, in minor units.
    var minimum: Int64
    var maximum: Int64
    var scenarios: [PaymentScenario]
    var pspID: String
    /// The six digits that its customers' codes begin with.
    var codeIssuer: String
    /// What its app is opened by.
    var scheme: String
    var people: [Person]
    var offer: Offer?

    var clientID: String { "SANDBOX_MPP_\(type)" }
    /// In addresses, and in file names.
    var slug: String { type.lowercased().replacing("_", with: "-") }
    var appIdentifier: String { "example.billfold.\(slug)" }

    private static let everywhere: [PaymentScenario] = [.cashier, .automaticDebit, .paymentCode, .entryCode, .orderCode]

    static let all = [
        MobileWalletProfile(
            type: "ALIPAY_HK", brand: "AlipayHK", region: "HK", currency: .hkd, minimum: 1, maximum: 5_000_000, scenarios: everywhere,
            pspID: "1022160000000000000", codeIssuer: "281006", scheme: "billfold-alipayhk",
            people: [
                Person(id: "hk-yan", name: "Yan", pin: "280911", balance: 800_000),
                Person(id: "hk-fai", name: "Fai", pin: "135790", balance: 1_000),
            ],
            offer: Offer(id: "hk-harbour", name: "10 dollars off", funder: .alipayPlus, off: 1_000, minimum: 10_000)),
        MobileWalletProfile(
            type: "GCASH", brand: "GCash", region: "PH", currency: .php, minimum: 100, maximum: 10_000_000, scenarios: everywhere,
            pspID: "1022170000000000000", codeIssuer: "281007", scheme: "billfold-gcash",
            people: [
                Person(id: "ph-luz", name: "Luz", pin: "631204", balance: 4_000_000),
                Person(id: "ph-jun", name: "Jun", pin: "135790", balance: 5_000),
            ]),
        MobileWalletProfile(
            type: "KAKAOPAY", brand: "Kakao Pay", region: "KR", currency: .krw, minimum: 50, maximum: 2_000_000, scenarios: everywhere,
            pspID: "1022172000000000001", codeIssuer: "281008", scheme: "billfold-kakaopay",
            people: [
                Person(id: "kr-sora", name: "Sora", pin: "820415", balance: 1_500_000),
                Person(id: "kr-min", name: "Min", pin: "135790", balance: 1_000),
            ],
            offer: Offer(id: "kr-thousand", name: "1,000 won off", funder: .wallet, off: 1_000, minimum: 10_000)),
        MobileWalletProfile(
            type: "TNG", brand: "Touch ’n Go eWallet", region: "MY", currency: .myr, minimum: 5, maximum: 2_000_000,
            scenarios: everywhere, pspID: "1022171000000000001", codeIssuer: "281009", scheme: "billfold-tng",
            people: [
                Person(id: "my-aina", name: "Aina", pin: "601357", balance: 300_000),
                Person(id: "my-raj", name: "Raj", pin: "135790", balance: 500),
            ]),
        MobileWalletProfile(
            type: "TRUEMONEY", brand: "TrueMoney", region: "TH", currency: .thb, minimum: 100, maximum: 5_000_000,
            scenarios: everywhere, pspID: "1022167000000000001", codeIssuer: "281010", scheme: "billfold-truemoney",
            people: [
                Person(id: "th-nok", name: "Nok", pin: "660213", balance: 2_000_000),
                Person(id: "th-lek", name: "Lek", pin: "135790", balance: 2_000),
            ]),
        MobileWalletProfile(
            type: "DANA", brand: "DANA", region: "ID", currency: .idr, minimum: 30_000, maximum: 1_000_000_000,
            scenarios: [.cashier, .automaticDebit], pspID: "1022173000000000001", codeIssuer: "281011", scheme: "billfold-dana",
            people: [
                Person(id: "id-sari", name: "Sari", pin: "620817", balance: 500_000_000),
                Person(id: "id-budi", name: "Budi", pin: "135790", balance: 100_000),
            ]),
    ]

    static func find(type: String) -> MobileWalletProfile? { all.first { $0.type == type } }
}

extension MobileWalletProfile {
    /// What the wallet registers itself at the gateway with.
    struct Wish: Encodable, Sendable {
        struct Links: Encodable, Sendable {
            var applink: String
            var scheme: String
            var normal: String
            var appIdentifier: String
        }
        struct PromotionName: Encodable, Sendable {
            var language: String
            var name: String
        }
        struct Promotion: Encodable, Sendable {
            var id: String
            var names: [PromotionName]
            var funder: String
            var fixed: String
            var minimum: String
        }
        var clientId: String
        var pspId: String
        var paymentMethodType: String
        var brand: String
        var region: String
        var currency: String
        var minimum: String
        var maximum: String
        var scenarios: [String]
        var keys: [AlipayPlusRegistration.Key]
        var origin: String
        var links: Links
        var codeIssuer: String
        var promotions: [Promotion]
    }

    /// - Parameter origin: Where the gateway reaches the wallet's API, and its customers' browsers its pages.
    func wish(_ identity: AlipayPlusIdentity, origin: String) -> Wish {
        Wish(
            clientId: clientID, pspId: pspID, paymentMethodType: type, brand: brand, region: region, currency: currency.alphabeticCode,
            minimum: String(minimum), maximum: String(maximum), scenarios: scenarios.map(\.rawValue), keys: [.init(identity)],
            origin: origin,
            links: .init(
                applink: "\(origin)/wallets/\(slug)/open?way=app", scheme: "\(scheme)://pay", normal: "\(origin)/wallets/\(slug)/open",
                appIdentifier: appIdentifier), codeIssuer: codeIssuer,
            promotions: offer.map {
                [
                    .init(
                        id: $0.id, names: [.init(language: "en_US", name: $0.name)], funder: $0.funder.rawValue, fixed: String($0.off),
                        minimum: String($0.minimum))
                ]
            } ?? [])
    }
}
