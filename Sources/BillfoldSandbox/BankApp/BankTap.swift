import PassKitSimulator

/// What the customer does with the phone in the bank's app and in the wallet: `{"do":"add","value":"visa-1"}`.
package typealias BankTap = DeviceTap<BankAction>

package enum BankAction: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value is a customer's id, one of those on the screen or any other whom the bank knows.
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
    /// Looks at what the bank's extension of the wallet offers; puts the list away; picks from it, the value being an offer's id.
    case listOffers, closeOffers, addOffer
    /// It is the customer who wants the card in the wallet, or it is not said now.
    case confirm, decline
}

extension BankTap {
    /// What somebody taps who does this on the add sheet.
    init(onSheet action: AddPassSheet.Action) {
        switch action {
        case .next: self.init(.next)
        case .chooseDevice(let device): self.init(.chooseDevice, device)
        case .acceptTerms: self.init(.acceptTerms)
        case .declineTerms: self.init(.declineTerms)
        case .chooseMethod(let method): self.init(.chooseMethod, method)
        case .enterCode(let code): self.init(.enterCode, code)
        case .later: self.init(.later)
        case .done: self.init(.done)
        case .cancel: self.init(.cancel)
        }
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
