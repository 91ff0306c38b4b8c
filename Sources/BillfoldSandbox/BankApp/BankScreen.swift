package import PassKitSimulator

/// All that the customer's phone, the watch beside it and the customer's messages show at one moment, as it goes to the page.
package struct BankScreen: DeviceScreen, Hashable, Codable {
    /// What is in front on the phone.
    package enum Front: String, Sendable, Hashable, Codable, CaseIterable { case bank, wallet }

    package struct Customer: Sendable, Hashable, Codable {
        package var id: String
        package var name: String
        /// What is worth knowing about the cards.
        package var detail: String

        package init(id: String, name: String, detail: String) {
            self.id = id
            self.name = name
            self.detail = detail
        }
    }

    /// What the app offers for a card.
    package struct Button: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// The app is still asking.
            case loading
            /// No device has the card.
            case add
            /// The phone has it, and its watch could.
            case addToWatch
            /// A device has it, and it waits for a proof.
            case finishSetUp
            /// A device has it, and the bank looks at it.
            case inReview
            /// Every device has it.
            case added
            /// Not for this card, or not on this phone.
            case unavailable
        }

        package var kind: Kind
        /// On the button; empty where there is none.
        package var text: String
        /// Why it is so, in a plain sentence.
        package var reason: String?
        /// A stable code behind the reason.
        package var code: String?

        package init(_ kind: Kind, _ text: String = "", reason: String? = nil, code: String? = nil) {
            self.kind = kind
            self.text = text
            self.reason = reason
            self.code = code
        }
    }

    package struct Card: Sendable, Hashable, Codable {
        package var id: String
        package var displayName: String
        /// `visa`, `mastercard` or `unionPay`.
        package var network: String
        package var suffix: String
        /// `active`, `blocked` or `closed`.
        package var status: String
        package var button: Button
    }

    /// One way of proving who the customer is.
    package struct Method: Sendable, Hashable, Codable {
        package var id: String
        /// The broker's word for it, such as `TEXT_TO_CARDHOLDER_NUMBER`.
        package var type: String
        /// Where the code goes, masked.
        package var value: String
        /// Too many wrong codes: this way is closed.
        package var isBlocked: Bool
    }

    /// A card in a wallet.
    package struct Pass: Sendable, Hashable, Codable {
        package enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case activated, requiresActivation, activating, suspended, deactivated
        }

        package var id: String
        package var displayName: String
        package var network: String
        package var suffix: String
        /// The last digits of the device's own number.
        package var deviceSuffix: String
        package var state: State
        /// How the customer may prove who he is; empty where nothing is to be proved, or where the bank does it alone.
        package var methods: [Method]
        /// What the state means where it does not speak for itself.
        package var note: String?
        /// The id of the customer's card that it stands for, as far as somebody saw it in this app.
        package var card: String?
    }

    package struct Watch: Sendable, Hashable, Codable {
        package var name: String
        package var isReachable: Bool
        package var passes: [Pass]
    }

    /// What the wallet lists of the bank's cards, by the bank's extension of it.
    package struct Offers: Sendable, Hashable, Codable {
        package struct Entry: Sendable, Hashable, Codable {
            package var id: String
            package var title: String
            /// Where it would be: `phone` or `watch`.
            package var device: String
        }

        package var entries: [Entry]
        /// Why there is nothing, in a plain sentence.
        package var note: String?
    }

    /// A message to the customer, by whichever way it came.
    package struct Message: Sendable, Hashable, Codable {
        package var id: String
        /// `SMS`, `E-mail`, `Call` or `App`.
        package var channel: String
        /// The masked address.
        package var to: String
        package var text: String
        /// Milliseconds since 1970.
        package var at: Int64

        package init(id: String, channel: String, to: String, text: String, at: Int64) {
            self.id = id
            self.channel = channel
            self.to = to
            self.text = text
            self.at = at
        }
    }

    /// How an attempt ended, in the app's words.
    package struct Outcome: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// In the wallet, and it can pay.
            case ready
            /// In the wallet; the customer has still to prove who he is.
            case pending
            /// In the wallet; the bank looks at it, and there is nothing that the customer could do.
            case review
            /// Whether anything was added is not known.
            case unknown
            /// Nothing was added.
            case refused
            case cancelled
        }

        package var kind: Kind
        package var title: String
        package var text: String
        /// A stable code, where something was refused.
        package var code: String?
        /// Where the attempt's messages can be read; nil without a console.
        package var story: String?
    }

    /// Proving from the pass's own page in the wallet.
    package struct SetUp: Sendable, Hashable, Codable {
        package enum Phase: String, Sendable, Hashable, Codable, CaseIterable { case choosing, sending, entering, verifying }

        package var pass: String
        package var phase: Phase
        package var methods: [Method]
        package var message: String?
    }

    /// The wallet opened the app, so that the customer says here that it is he.
    package struct Prompt: Sendable, Hashable, Codable {
        package var pass: String
        package var title: String
        package var text: String
        package var isBusy: Bool
        package var problem: String?
    }

    /// Why the app could not go on.
    package struct Problem: Sendable, Hashable, Codable {
        package var code: String
        package var reason: String
    }

    package var revision = 0
    package var session: String
    package var model: BankPhoneModel
    package var front = Front.bank
    /// Whom one can log in as.
    package var customers: [Customer]
    package var customer: Customer?
    package var isLoading = false
    package var cards: [Card] = []
    package var sheet: AddPassState?
    package var outcome: Outcome?
    package var prompt: Prompt?
    package var setUp: SetUp?
    /// Nil until somebody looks.
    package var offers: Offers?
    package var passes: [Pass] = []
    package var watch: Watch?
    /// Oldest first.
    package var inbox: [Message] = []
    package var problem: Problem?
    /// What the app did wrong and the device noticed; empty in a sound app.
    package var faults: [DeviceFault] = []

    init(session: String, model: BankPhoneModel, customers: [Customer]) {
        self.session = session
        self.model = model
        self.customers = customers
    }
}

extension BankScreen.Pass.State {
    init(_ state: PKSecureElementPass.PassActivationState) {
        self =
            switch state {
            case .activated: .activated
            case .requiresActivation: .requiresActivation
            case .activating: .activating
            case .suspended: .suspended
            case .deactivated: .deactivated
            }
    }
}

extension BankScreen.Pass {
    package init(_ pass: WalletPass) {
        let state = State(pass.activationState)
        let methods =
            state == .requiresActivation
            ? (pass.verificationMethods ?? []).map { BankScreen.Method(id: $0.id, type: $0.type, value: $0.value, isBlocked: false) } : []
        let awaitsBank = state == .requiresActivation && methods.isEmpty
        self.init(
            id: pass.id, displayName: pass.localizedDescription.isEmpty ? "Card" : pass.localizedDescription, network: "",
            suffix: pass.primaryAccountNumberSuffix, deviceSuffix: pass.deviceAccountNumberSuffix, state: state, methods: methods,
            note: awaitsBank ? "The bank looks at it and gets in touch. It cannot pay before that." : nil)
    }
}

extension BankScreen.Outcome {
    /// - Parameter pass: What came into the wallet, as it stood when the sheet closed.
    package init(added pass: WalletPass, device: String) {
        switch BankScreen.Pass(pass) {
        case let shown where shown.state == .activated:
            self.init(kind: .ready, title: "Ready to use", text: "The card is in \(device) and can pay.")
        case let shown where shown.state == .requiresActivation && shown.methods.isEmpty:
            self.init(
                kind: .review, title: "We look at this ourselves",
                text: "The card is in \(device) and cannot pay yet. We call you on a number that we have known for long.")
        case let shown where shown.state == .requiresActivation || shown.state == .activating:
            self.init(
                kind: .pending, title: "Added, not usable yet",
                text: "The card is in \(device). It cannot pay before you have shown in the wallet that it is you.")
        default:
            self.init(kind: .pending, title: "Added, not usable", text: "The card is in \(device), and it is suspended.")
        }
    }

    /// - Parameters:
    ///   - code: What the system told the app, which is little.
    ///   - text: The app's plain sentence for it.
    init(refused code: String, text: String) { self.init(kind: .refused, title: "Not added", text: text, code: code) }

    static var cancelled: Self { Self(kind: .cancelled, title: "Nothing was added", text: "You closed the sheet.") }
}
