import ApplePayApp
package import PassKitSimulator

/// All that the phone shows at one moment, as it goes to the page.
package struct PhoneScreen: DeviceScreen, Hashable, Codable {
    package enum Place: String, Sendable, Hashable, Codable {
        /// The shop's app with its Pay button.
        case shop
        /// The app asks the shop for an order.
        case ordering
        case sheet
        /// The sheet is gone and the app asks what became of the payment.
        case confirming
        case outcome
    }

    /// How the checkout ended, in the words an app would use.
    package struct Outcome: Sendable, Hashable, Codable {
        /// `succeeded`, `failed`, `undecided`, `cancelled` or `not-presented`.
        package var kind: String
        package var paymentID: String?
        /// A stable code, where it failed.
        package var code: String?
        package var reason: String?

        package init(kind: String, paymentID: String? = nil, code: String? = nil, reason: String? = nil) {
            self.kind = kind
            self.paymentID = paymentID
            self.code = code
            self.reason = reason
        }
    }

    package struct Order: Sendable, Hashable, Codable {
        package var id: String
        package var reference: String
        package var merchantName: String
        /// Where the order's messages can be read; nil without a console.
        package var story: String?
    }

    /// Grows with every change.
    package var revision: Int
    package var session: String
    package var model: PhoneModel
    package var place: Place
    /// `hidden`, `setUp` or `pay`.
    package var button: String
    package var order: Order?
    package var sheet: SheetState?
    package var outcome: Outcome?
    /// Why the app could not begin: a stable code and a sentence.
    package var problem: Outcome?
    /// What goes wrong on a device and was seen here; empty in a sound app.
    package var faults: [DeviceFault]

    init(session: String, model: PhoneModel) {
        revision = 0
        self.session = session
        self.model = model
        place = .shop
        button = ApplePayAvailability.hidden.rawValue
        faults = []
    }

    /// What can be done with the phone while it shows this, and nothing else can.
    ///
    /// - Parameter phase: Where the sheet stands, which may be further than what is shown.
    func offers(sheetAt phase: SheetState.Phase?) -> [TapOffer] {
        let offers: [TapOffer] =
            switch (place, phase) {
            case (.shop, _) where button == ApplePayAvailability.pay.rawValue: [.init(PhoneAction.pay)]
            case (.shop, _) where button == ApplePayAvailability.setUp.rawValue: [.init(PhoneAction.setUp)]
            case (.outcome, _):
                [.init(PhoneAction.continue)] + (outcome?.kind == "undecided" ? [.init(PhoneAction.askAgain)] : [])
            case (.sheet, .ready), (.sheet, .updating):
                [
                    .init(PhoneAction.selectCard, of: sheet?.cards.map(\.id) ?? []),
                    .init(PhoneAction.selectContact, of: sheet?.contacts.map(\.id) ?? []),
                    .init(PhoneAction.selectShippingMethod, of: sheet?.shippingMethods.map(\.id) ?? []),
                    .init(PhoneAction.enterCouponCode, isTyped: true), .init(PhoneAction.authorize), .init(PhoneAction.cancel),
                ]
            case (.sheet, .enteringPIN): [.init(PhoneAction.enterPIN, isTyped: true), .init(PhoneAction.cancel)]
            default: []
            }
        return offers.filter { $0.values?.isEmpty != true }
    }
}

extension PhoneScreen.Outcome {
    init(_ outcome: CheckoutOutcome) {
        switch outcome {
        case .succeeded(let payment): self.init(kind: "succeeded", paymentID: payment.id)
        case .failed(let code, let reason): self.init(kind: "failed", code: code, reason: reason)
        case .undecided(let payment): self.init(kind: "undecided", paymentID: payment?.id)
        case .cancelled: self.init(kind: "cancelled")
        case .notPresented: self.init(kind: "not-presented")
        }
    }
}
