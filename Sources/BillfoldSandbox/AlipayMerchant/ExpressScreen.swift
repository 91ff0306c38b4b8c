package import Alipay
import BillfoldMoney

/// All that the phone with the shop's app shows at one moment, as it goes to the page.
package struct ExpressScreen: DeviceScreen, Hashable, Codable {
    package enum Place: String, Sendable, Hashable, Codable {
        case shop
        /// The app asks its server for an order.
        case ordering
        /// The system offers to open the wallet's app, or it is in front.
        case wallet
        /// The web cashier is on the screen.
        case cashier
        /// The app asks its server what became of the payment.
        case asking
        case outcome
        /// The system has ended the app.
        case ended
    }

    package struct Offer: Sendable, Hashable, Codable {
        package var id: String
        package var name: String
        package var summary: String
        package var price: String
        package var picture: String
        /// `modern` is not for every contract.
        package var generations: [String]
    }

    package struct Choice: Sendable, Hashable, Codable {
        package var value: String
        package var title: String
    }

    package struct Order: Sendable, Hashable, Codable {
        package var number: String
        package var subject: String
        package var price: String
        /// Where the order's messages can be read; nil without a console.
        package var story: String?
        /// The merchant's page of the order.
        package var desk: String
    }

    package struct Outcome: Sendable, Hashable, Codable {
        /// `paid`, `cancelled`, `failed` or `undecided`.
        package var kind: String
        /// The code that the app's block was called with.
        package var status: String
        package var title: String
        package var text: String
    }

    package struct Problem: Sendable, Hashable, Codable {
        package var code: String
        package var reason: String
    }

    package var revision = 0
    package var session: String
    package var model: ExpressPhoneModel
    package var place = Place.shop
    package var offers: [Offer]
    package var faultChoices: [Choice]
    package var order: Order?
    /// What the browser opens next: the wallet, or the cashier.
    package var away: String?
    package var outcome: Outcome?
    /// Why the app could not begin.
    package var problem: Problem?
    /// Whether a payment from this phone ever succeeded.
    package var isLogined = false
    /// What the client noticed and survived.
    package var faults: [String] = []

    init(session: String, model: ExpressPhoneModel) {
        self.session = session
        self.model = model
        offers = ExpressOffer.all.map { offer in
            Offer(
                id: offer.id, name: offer.name, summary: offer.summary, price: offer.price.description,
                picture: "/assets/shop/\(offer.picture)",
                generations: AlipayGeneration.allCases.filter { $0 == .legacy || offer.account.appID != nil }.map(\.rawValue))
        }
        faultChoices = ExpressFault.allCases.map { Choice(value: $0.rawValue, title: $0.title) }
    }
}

/// The phones that a visitor can hold.
package enum ExpressPhoneModel: String, Sendable, Hashable, Codable, CaseIterable {
    case withWallet = "with-wallet"
    case withoutWallet = "without-wallet"

    var title: String {
        switch self {
        case .withWallet: "A phone with the wallet’s app"
        case .withoutWallet: "A phone without it: the web cashier"
        }
    }

    var installedSchemes: Set<String> { self == .withWallet ? ["alipay"] : [] }
}

extension ExpressScreen.Outcome {
    /// - Parameter status: What the documented block was told.
    init(status: String) {
        self.status = status
        switch AlipayResultStatus(rawValue: status).action {
        case .verify:
            (kind, title, text) = ("paid", "Paid", "The shop’s server has the gateway’s signed word. Your goods are on their way.")
        case .backToOrder: (kind, title, text) = ("cancelled", "Not paid", "You came back without paying. The order stays open.")
        case .retry: (kind, title, text) = ("failed", "Not paid", "The payment did not go through. You may try again.")
        case .query:
            (kind, title, text) = (
                "undecided", "Being confirmed", "Nobody knows yet whether the payment went through. It will not be taken twice."
            )
        }
    }
}

/// What the customer does with the phone, as the page posts it: `{"do":"buy","value":"longjing","generation":"modern","fault":"lost-return"}`.
package struct ExpressTap: Sendable, Hashable, Codable, StrictBody {
    static let members = ["do", "value", "generation", "fault"]
    static let choices = ["do": Action.allCases.map(\.rawValue)]

    package enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value is an offer's id.
        case buy
        /// Closes the web cashier.
        case closeCashier
        /// Goes back to the shop's app without the wallet's help.
        case comeBack
        /// Starts the app that the system has ended.
        case startApp
        case askAgain
        /// From the outcome back to the shop.
        case `continue`
    }

    package var action: Action
    package var value: String?
    package var generation: AlipayGeneration?
    package var fault: ExpressFault?

    package init(_ action: Action, _ value: String? = nil, generation: AlipayGeneration? = nil, fault: ExpressFault? = nil) {
        self.action = action
        self.value = value
        self.generation = generation
        self.fault = fault
    }

    private enum CodingKeys: String, CodingKey {
        case action = "do"
        case value, generation, fault
    }
}
