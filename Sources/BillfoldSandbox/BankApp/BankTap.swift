import PassKitSimulator

/// What the customer does with the phone, as the page posts it: `{"do":"add","value":"visa-1"}`.
public struct BankTap: Sendable, Hashable, Codable {
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value is a customer's id.
        case logIn
        case logOut
        /// The value is `bank` or `wallet`.
        case switchTo
        /// Asks the bank again.
        case refresh
        /// The value is a card's id.
        case add, finishSetUp
        // On the sheet.
        case next, chooseDevice, acceptTerms, declineTerms, chooseMethod, enterCode, later, done, cancel
        /// From the outcome back to the cards.
        case `continue`
        // In the wallet; the value is a pass's id, a method's id or a code.
        case verifyPass, requestPassCode, enterPassCode, laterPass, removePass
        /// It is the customer who wants the card in the wallet, or it is not said now.
        case confirm, decline
    }

    public var action: Action
    public var value: String?

    public init(_ action: Action, _ value: String? = nil) {
        self.action = action
        self.value = value
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action = "do"
        case value
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a tap")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        action = try container.decode(Action.self, forKey: .action)
        value = try container.decodeIfPresent(String.self, forKey: .value)
    }

    /// What it means on the add sheet; nil for what the sheet does not know.
    var onSheet: AddPassSheet.Action? {
        switch action {
        case .next: .next
        case .chooseDevice: .chooseDevice(value ?? "")
        case .acceptTerms: .acceptTerms
        case .declineTerms: .declineTerms
        case .chooseMethod: .chooseMethod(value ?? "")
        case .enterCode: .enterCode(value ?? "")
        case .later: .later
        case .done: .done
        case .cancel: .cancel
        default: nil
        }
    }
}

extension BankTap: CustomStringConvertible {
    /// Without the value, which may be a code.
    public var description: String { action.rawValue }
}
