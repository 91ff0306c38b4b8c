/// All that the add-pass flow shows at one moment, as values, for a page or a test to read.
public struct AddPassState: Sendable, Hashable, Codable {
    /// Where the flow stands, and what it offers there.
    public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
        /// The card as the app described it. Offers `next`.
        case introduction
        /// Offers `chooseDevice`.
        case choosingDevice
        case fetchingCertificates
        /// Waits for the app's request, at most ``AddPassSheet/requestLimit``.
        case waitingForApp
        case adding
        /// Offers `acceptTerms` and `declineTerms`.
        case terms
        case enabling
        /// The pass is in the wallet and waits for a proof. Offers `chooseMethod` and `later`.
        case choosingMethod
        case sendingCode
        /// Offers `enterCode`, `chooseMethod` and `later`.
        case enteringCode
        case verifying
        /// The pass is in the wallet; `activationState` says whether it can be used. Offers `done`.
        case added
        /// "Could Not Add Card". Offers `done`.
        case failed
        /// The app has been told; it takes the controller from the screen.
        case closed

        public var isOver: Bool { self == .closed }

        /// Whether the flow waits for the customer.
        public var awaitsCustomer: Bool {
            switch self {
            case .introduction, .choosingDevice, .terms, .choosingMethod, .enteringCode, .added, .failed: true
            case .fetchingCertificates, .waitingForApp, .adding, .enabling, .sendingCode, .verifying, .closed: false
            }
        }

        /// Whether the customer may turn back. Not while the card is being added, and not once it is.
        var canCancel: Bool {
            switch self {
            case .introduction, .choosingDevice, .fetchingCertificates, .waitingForApp, .terms: true
            default: false
            }
        }

        func offers(_ action: AddPassSheet.Action) -> Bool {
            switch action {
            case .next: self == .introduction
            case .chooseDevice: self == .choosingDevice
            case .acceptTerms, .declineTerms: self == .terms
            case .chooseMethod: self == .choosingMethod || self == .enteringCode
            case .enterCode: self == .enteringCode
            case .later: self == .choosingMethod || self == .enteringCode
            case .done: self == .added || self == .failed
            case .cancel: canCancel
            }
        }
    }

    /// A further line of the first screen.
    public struct Line: Sendable, Hashable, Codable {
        public var label: String
        public var value: String
    }

    /// A device that the card can be added to.
    public struct Device: Sendable, Hashable, Codable, Identifiable {
        /// The secure element's identifier.
        public var id: String
        public var name: String
        public var kind: DeviceKind
    }

    /// A way in which the customer can prove who he is.
    public struct Method: Sendable, Hashable, Codable, Identifiable {
        public var id: String
        public var type: String
        /// Where the code goes, masked.
        public var value: String
        /// Too many wrong codes: this way is closed.
        public var isBlocked: Bool
    }

    public var phase = Phase.introduction
    public var description = ""
    public var cardholderName = ""
    public var suffix = ""
    public var network = ""
    public var details: [Line] = []
    public var devices: [Device] = []
    public var selectedDevice: String?
    public var termsURL: String?
    public var methods: [Method] = []
    public var selectedMethod: String?
    /// Of the added pass.
    public var activationState: PKSecureElementPass.PassActivationState?
    /// Why it failed, or what is wrong with the code.
    public var message: String?
}
