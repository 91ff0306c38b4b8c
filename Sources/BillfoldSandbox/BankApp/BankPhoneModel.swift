/// The phones that a visitor can hold. What becomes of a card follows from what the wallet's maker knows of phone and account.
public enum BankPhoneModel: String, Sendable, Hashable, Codable, CaseIterable {
    case trusted, moved, risky, fresh, tablet
    case withoutWallet = "without-wallet"

    public var title: String {
        switch self {
        case .trusted: "A phone with an account of many years, and a watch"
        case .moved: "A phone whose owner has moved abroad, and a watch"
        case .risky: "A phone whose account was seen in fraud, and a watch"
        case .fresh: "A phone with an account of a few days, and a watch"
        case .tablet: "A tablet with an account of many years"
        case .withoutWallet: "A phone that cannot hold cards"
        }
    }
}
