import Foundation
package import PassKitSimulator

/// The phones that a visitor can hold: one for each state of the Pay button.
package enum PhoneModel: String, Sendable, Hashable, Codable, CaseIterable {
    /// Too old, or restricted: the app shows nothing of Apple Pay.
    case withoutApplePay = "without-apple-pay"
    /// Able, with an empty wallet: the app shows "Set up".
    case withoutCard = "without-card"
    case ready

    package var title: String {
        switch self {
        case .withoutApplePay: "A phone without Apple Pay"
        case .withoutCard: "A phone with an empty wallet"
        case .ready: "A phone with cards"
        }
    }

    /// What the simulated device is, with the given cards in its wallet.
    func configuration(cards: [WalletCard], contacts: [SimulatedContact]) -> SimulatedDevice.Configuration {
        switch self {
        case .withoutApplePay: .init(model: rawValue, hasSecureElement: false, systemVersion: "9.0", contacts: contacts)
        case .withoutCard: .init(model: rawValue, contacts: contacts)
        case .ready: .init(model: rawValue, cards: cards, contacts: contacts)
        }
    }
}

/// The owner's cards and addresses. Issuers, people and places are made up.
package enum PhoneOwner {
    /// The UnionPay cards ask for the PIN above 1,000 yuan and in foreign currencies.
    package static let cards = [
        WalletCard(
            id: "unionpay-debit", issuer: "Bank of Examples", suffix: "6222", network: .chinaUnionPay, type: .debit,
            pinRule: .init(currencyCode: "CNY", limit: 1000)),
        WalletCard(
            id: "unionpay-credit", issuer: "Harbour Bank", suffix: "6250", network: .chinaUnionPay, type: .credit,
            pinRule: .init(currencyCode: "CNY", limit: 1000)),
    ]

    package static let contacts = [
        SimulatedContact(
            id: "home", givenName: "Wei", familyName: "Li", emailAddress: "li.wei@example.com", phoneNumber: "+86 21 5550 0100",
            street: "100 Century Avenue", subLocality: "Pudong", city: "Shanghai", state: "Shanghai", postalCode: "200120",
            country: "China", countryCode: "CN"),
        SimulatedContact(
            id: "office", givenName: "Wei", familyName: "Li", emailAddress: "li.wei@example.com", phoneNumber: "+86 10 5550 0100",
            street: "8 Jianguo Road", subLocality: "Chaoyang", city: "Beijing", state: "Beijing", postalCode: "100020",
            country: "China", countryCode: "CN"),
        SimulatedContact(
            id: "abroad", givenName: "Wei", familyName: "Li", emailAddress: "li.wei@example.com", phoneNumber: "+351 21 555 0100",
            street: "Rua de Exemplo 1", city: "Lisboa", state: "Lisboa", postalCode: "1000-001", country: "Portugal",
            countryCode: "PT"),
    ]
}
