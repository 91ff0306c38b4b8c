/// The phones that a visitor can hold. What becomes of a card follows from what the wallet's maker knows of phone and account.
package enum BankPhoneModel: String, Sendable, Hashable, Codable, CaseIterable {
    case trusted, moved, risky, fresh, tablet
    case withoutWallet = "without-wallet"

    package var title: String {
        switch self {
        case .trusted: "An account of many years"
        case .moved: "An owner who moved abroad"
        case .risky: "An account that was seen in fraud"
        case .fresh: "An account of a few days"
        case .tablet: "A tablet, its account of many years"
        case .withoutWallet: "A phone that cannot hold cards"
        }
    }
}
