import PassKitSimulator

extension BankScreen {
    /// What can be done with the phone while it shows this, and nothing else can.
    ///
    /// - Parameter phase: Where the wallet's sheet stands, which may be further than what is shown.
    func offers(sheetAt phase: AddPassState.Phase?) -> [TapOffer] {
        if let sheet { return sheet.offers(at: phase ?? .closed) }
        return [.init(BankAction.switchTo, of: Front.allCases.map(\.rawValue))]
            + (front == .wallet ? inWallet : inApp)
            .filter { $0.values?.isEmpty != true }
    }

    private var inApp: [TapOffer] {
        if let prompt { return prompt.isBusy ? [] : [.init(BankAction.confirm), .init(BankAction.decline)] }
        guard outcome == nil else { return [.init(BankAction.continue)] }
        guard customer != nil else { return [.init(BankAction.logIn, isTyped: true)] }
        func named(_ kinds: Button.Kind...) -> [String] { cards.filter { kinds.contains($0.button.kind) }.map(\.id) }
        return [
            .init(BankAction.logOut), .init(BankAction.refresh), .init(BankAction.add, of: named(.add, .addToWatch)),
            .init(BankAction.finishSetUp, of: named(.finishSetUp)),
        ]
    }

    private var inWallet: [TapOffer] {
        if let setUp {
            var offers = [TapOffer(BankAction.laterPass)]
            if setUp.phase == .choosing || setUp.phase == .entering {
                offers.append(.init(BankAction.requestPassCode, of: setUp.methods.filter { !$0.isBlocked }.map(\.id)))
            }
            if setUp.phase == .entering { offers.append(.init(BankAction.enterPassCode, isTyped: true)) }
            return offers
        }
        let passes = passes + (watch?.passes ?? [])
        var found = [
            TapOffer(BankAction.verifyPass, of: passes.filter { !$0.methods.isEmpty }.map(\.id)),
            .init(BankAction.removePass, of: passes.map(\.id)),
        ]
        if let offers {
            found += [.init(BankAction.addOffer, of: offers.entries.map(\.id)), .init(BankAction.closeOffers)]
        } else {
            found.append(.init(BankAction.listOffers))
        }
        return found
    }
}

extension AddPassState {
    /// What the wallet's sheet offers in a phase. Its cross means "later" or "done" once the card is in the wallet.
    fileprivate func offers(at phase: Phase) -> [TapOffer] {
        switch phase {
        case .adding, .enabling, .sendingCode, .verifying, .closed: return []
        default: break
        }
        let methods = TapOffer(BankAction.chooseMethod, of: methods.filter { !$0.isBlocked }.map(\.id))
        let offers: [TapOffer] =
            switch phase {
            case .introduction: [.init(BankAction.next)]
            case .choosingDevice: [.init(BankAction.chooseDevice, of: devices.map(\.id))]
            case .terms: [.init(BankAction.acceptTerms), .init(BankAction.declineTerms)]
            case .choosingMethod: [methods, .init(BankAction.later)]
            case .enteringCode: [.init(BankAction.enterCode, isTyped: true), methods, .init(BankAction.later)]
            case .added, .failed: [.init(BankAction.done)]
            default: []
            }
        return offers.filter { $0.values?.isEmpty != true } + [.init(BankAction.cancel)]
    }
}
