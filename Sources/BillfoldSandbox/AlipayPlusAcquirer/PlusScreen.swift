import BillfoldMoney

/// All that the phone with the merchant's app shows at one moment, as it goes to the page.
package struct PlusScreen: DeviceScreen, Hashable, Codable {
    package enum Place: String, Sendable, Hashable, Codable {
        case shop
        /// The app asks for the payment option.
        case checkout
        /// The app asks its server for a payment.
        case ordering
        /// The payment sheet is on the screen.
        case sheet
        /// A wallet is in front, or about to be.
        case wallet
        /// The app asks its server what became of the payment.
        case asking
        case outcome
    }

    package struct Offer: Sendable, Hashable, Codable {
        package var id: String
        package var name: String
        package var summary: String
        package var price: String
        package var picture: String
    }

    /// The row of Alipay+ at the checkout, as the SDK answered.
    package struct Row: Sendable, Hashable, Codable {
        package var enabled: Bool
        package var brand: String
        package var logo: String?
        package var promotion: String?
        package var disableReason: String?
    }

    package struct Order: Sendable, Hashable, Codable {
        package var number: String
        package var subject: String
        package var price: String
        /// Where the order's messages can be read; nil without a console, and before there is a payment.
        package var story: String?
        /// The merchant's page of the order.
        package var desk: String
    }

    package struct Outcome: Sendable, Hashable, Codable {
        /// `paid`, `failed`, `cancelled` or `undecided`.
        package var kind: String
        package var title: String
        package var text: String
    }

    package struct Problem: Sendable, Hashable, Codable {
        package var code: String
        package var reason: String
    }

    package var revision = 0
    package var session: String
    package var model: PlusPhoneModel
    /// Of the eight languages of the sheet.
    package var language: String
    package var place = Place.shop
    package var offers: [Offer]
    /// What is at the checkout.
    package var chosen: Offer?
    package var row: Row?
    package var order: Order?
    /// The sheet's page, with what the SDK adds to its address.
    package var sheet: String?
    /// The wallet's page that the phone opens next.
    package var away: String?
    /// The wallet that was chosen on the sheet.
    package var wallet: String?
    package var outcome: Outcome?
    package var problem: Problem?
    /// What the SDK's callback was told, in order.
    package var events: [String] = []

    init(session: String, model: PlusPhoneModel, language: String) {
        self.session = session
        self.model = model
        self.language = language
        offers = PlusOffer.all.map {
            Offer(id: $0.id, name: $0.name, summary: $0.summary, price: $0.price.description, picture: "/assets/shop/\($0.picture)")
        }
    }
}

/// The phones that a visitor can hold.
package enum PlusPhoneModel: String, Sendable, Hashable, Codable, CaseIterable {
    case withWallets = "with-wallets"
    case withoutWallets = "without-wallets"

    var title: String {
        switch self {
        case .withWallets: "A phone with the wallets’ apps"
        case .withoutWallets: "A phone without them: their web pages"
        }
    }
}

extension PlusScreen.Outcome {
    /// What the acquirer's server says of an order.
    init(state: String) {
        switch state {
        case "paid": self.init(kind: "paid", title: "Paid", text: "The acquirer has Alipay+’s signed word. Your goods are on their way.")
        case "failed": self.init(kind: "failed", title: "Not paid", text: "The payment did not go through. You may try again.")
        case "cancelled": self.init(kind: "cancelled", title: "Cancelled", text: "The payment was cancelled. Nothing was taken.")
        default:
            self.init(
                kind: "undecided", title: "Being confirmed",
                text: "Nobody knows yet whether the payment went through. It will not be taken twice.")
        }
    }
}

/// What the customer does with the phone, as the page posts it: `{"do":"choose","value":"kaya-box"}`.
package struct PlusTap: Sendable, Hashable, Codable, StrictBody {
    static let members = ["do", "value"]
    static let choices = ["do": Action.allCases.map(\.rawValue)]

    package enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value is an offer's id.
        case choose
        /// Pays by the row of Alipay+.
        case pay
        /// From the checkout back to the shop.
        case back
        /// Takes the sheet away by other means than its own Close.
        case closeSheet
        /// Comes back to the app, from wherever.
        case comeBack
        case askAgain
        /// From the outcome back to the shop.
        case `continue`
    }

    package var action: Action
    package var value: String?

    package init(_ action: Action, _ value: String? = nil) {
        self.action = action
        self.value = value
    }

    private enum CodingKeys: String, CodingKey {
        case action = "do"
        case value
    }
}
