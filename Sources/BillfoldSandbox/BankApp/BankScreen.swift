public import PassKitSimulator

/// All that the customer's phone, the watch beside it and the customer's messages show at one moment, as it goes to the page.
public struct BankScreen: DeviceScreen, Hashable, Codable {
    /// What is in front on the phone.
    public enum Front: String, Sendable, Hashable, Codable, CaseIterable { case bank, wallet }

    public struct Customer: Sendable, Hashable, Codable {
        public var id: String
        public var name: String
        /// What is worth knowing about the cards.
        public var detail: String

        public init(id: String, name: String, detail: String) {
            self.id = id
            self.name = name
            self.detail = detail
        }
    }

    /// What the app offers for a card.
    public struct Button: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
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

        public var kind: Kind
        /// On the button; empty where there is none.
        public var text: String
        /// Why it is so, in a plain sentence.
        public var reason: String?
        /// A stable code behind the reason.
        public var code: String?

        public init(_ kind: Kind, _ text: String = "", reason: String? = nil, code: String? = nil) {
            self.kind = kind
            self.text = text
            self.reason = reason
            self.code = code
        }
    }

    public struct Card: Sendable, Hashable, Codable {
        public var id: String
        public var displayName: String
        /// `visa`, `mastercard` or `unionPay`.
        public var network: String
        public var suffix: String
        /// `active`, `blocked` or `closed`.
        public var status: String
        public var button: Button
    }

    /// One way of proving who the customer is.
    public struct Method: Sendable, Hashable, Codable {
        public var id: String
        /// The broker's word for it, such as `TEXT_TO_CARDHOLDER_NUMBER`.
        public var type: String
        /// Where the code goes, masked.
        public var value: String
        /// Too many wrong codes: this way is closed.
        public var isBlocked: Bool
    }

    /// A card in a wallet.
    public struct Pass: Sendable, Hashable, Codable {
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case activated, requiresActivation, activating, suspended, deactivated
        }

        public var id: String
        public var displayName: String
        public var network: String
        public var suffix: String
        /// The last digits of the device's own number.
        public var deviceSuffix: String
        public var state: State
        /// How the customer may prove who he is; empty where nothing is to be proved, or where the bank does it alone.
        public var methods: [Method]
        /// What the state means where it does not speak for itself.
        public var note: String?
        /// The id of the customer's card that it stands for, as far as somebody saw it in this app.
        public var card: String?
    }

    public struct Watch: Sendable, Hashable, Codable {
        public var name: String
        public var isReachable: Bool
        public var passes: [Pass]
    }

    /// What the wallet lists of the bank's cards, by the bank's extension of it.
    public struct Offers: Sendable, Hashable, Codable {
        public struct Entry: Sendable, Hashable, Codable {
            public var id: String
            public var title: String
            /// Where it would be: `phone` or `watch`.
            public var device: String
        }

        public var entries: [Entry]
        /// Why there is nothing, in a plain sentence.
        public var note: String?
    }

    /// A message to the customer, by whichever way it came.
    public struct Message: Sendable, Hashable, Codable {
        public var id: String
        /// `SMS`, `E-mail`, `Call` or `App`.
        public var channel: String
        /// The masked address.
        public var to: String
        public var text: String
        /// Milliseconds since 1970.
        public var at: Int64

        public init(id: String, channel: String, to: String, text: String, at: Int64) {
            self.id = id
            self.channel = channel
            self.to = to
            self.text = text
            self.at = at
        }
    }

    /// How an attempt ended, in the app's words.
    public struct Outcome: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
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

        public var kind: Kind
        public var title: String
        public var text: String
        /// A stable code, where something was refused.
        public var code: String?
        /// Where the attempt's messages can be read; nil without a console.
        public var story: String?
    }

    /// Proving from the pass's own page in the wallet.
    public struct SetUp: Sendable, Hashable, Codable {
        public enum Phase: String, Sendable, Hashable, Codable, CaseIterable { case choosing, sending, entering, verifying }

        public var pass: String
        public var phase: Phase
        public var methods: [Method]
        public var message: String?
    }

    /// The wallet opened the app, so that the customer says here that it is he.
    public struct Prompt: Sendable, Hashable, Codable {
        public var pass: String
        public var title: String
        public var text: String
        public var isBusy: Bool
        public var problem: String?
    }

    /// Why the app could not go on.
    public struct Problem: Sendable, Hashable, Codable {
        public var code: String
        public var reason: String
    }

    public var revision = 0
    public var session: String
    public var model: BankPhoneModel
    public var front = Front.bank
    /// Whom one can log in as.
    public var customers: [Customer]
    public var customer: Customer?
    public var isLoading = false
    public var cards: [Card] = []
    public var sheet: AddPassState?
    public var outcome: Outcome?
    public var prompt: Prompt?
    public var setUp: SetUp?
    /// Nil until somebody looks.
    public var offers: Offers?
    public var passes: [Pass] = []
    public var watch: Watch?
    /// Oldest first.
    public var inbox: [Message] = []
    public var problem: Problem?
    /// What the app did wrong and the device noticed; empty in a sound app.
    public var faults: [DeviceFault] = []

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
    public init(_ pass: WalletPass) {
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
    /// - `pass`: What came into the wallet, as it stood when the sheet closed.
    public init(added pass: WalletPass, device: String) {
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
