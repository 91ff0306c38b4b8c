import Foundation

// What the customer chooses, told to the app and answered with new items.
extension PaymentSheet {
    func carryOut(_ action: Action) async {
        switch action {
        case .selectCard(let id): await selectCard(id)
        case .selectContact(let id): await selectContact(id)
        case .selectShippingMethod(let id): await selectShippingMethod(id)
        case .enterCouponCode(let code): await enterCouponCode(code)
        case .authorize: await authorize()
        case .requestMerchantSession: await requestMerchantSession()
        case .cancel, .enterPIN: break
        }
    }

    /// Makes one callback, in the newest form that the app implements, and waits for its answer, or ends the sheet when none comes. Nil: the
    /// sheet is over. An app that implements no form of it answers with a value that says so.
    func ask<Answer>(
        _ callback: String, phase: SheetState.Phase = .updating, _ question: (any SheetApp) -> SheetQuestion<Answer>
    ) async -> Answer? {
        guard let forms = forms(of: question) else {
            end(.failed, message: "No one answers for the app.")
            return nil
        }
        state.phase = phase
        var answer: Answer?
        for form in forms where answer?.isUnimplemented ?? true {
            let reply = SheetReply<Answer>(callback: callback, device: device)
            abandon = { reply.abandon() }
            answer = await reply.wait(atMost: Self.callbackLimit, calling: form)
            abandon = nil
            guard !state.phase.isOver else { return nil }
            if answer == nil {
                end(.failed, message: "Payment Not Completed")
                return nil
            }
        }
        return answer
    }

    /// Nil where nobody answers for the app. The app is not kept alive: a screen that is dropped takes its sheet along.
    private func forms<Answer>(of question: (any SheetApp) -> SheetQuestion<Answer>) -> [SheetQuestion<Answer>.Form]? {
        guard let app, app.hasDelegate else { return nil }
        return question(app).forms
    }

    /// Shows a choice and that its answer is awaited, in one step: nobody sees the choice beside the old figures as settled.
    private func update(_ choose: (inout SheetState) -> Void) {
        var next = state
        choose(&next)
        next.message = nil
        next.phase = .updating
        state = next
    }

    private func selectCard(_ id: WalletCard.ID) async {
        guard let card = cards.first(where: { $0.id == id }) else { return rest() }
        update { $0.selectedCard = id }
        // The name of the card is private until authorisation.
        let method = PKPaymentMethod(displayName: nil, network: card.network, type: card.type)
        let update: PKPaymentRequestPaymentMethodUpdate? = await ask("didSelectPaymentMethod") { $0.didSelect(method) }
        if let update { apply(update) }
    }

    private func selectContact(_ id: SimulatedContact.ID) async {
        guard let contact = contacts.first(where: { $0.id == id }) else { return rest() }
        guard state.asksAddress else {
            state.selectedContact = id
            state.problems = []
            return rest()
        }
        update {
            $0.selectedContact = id
            $0.problems = []
        }
        let redacted = contact.redacted()
        let update: PKPaymentRequestShippingContactUpdate? = await ask("didSelectShippingContact") { $0.didSelect(redacted) }
        if let update { apply(update) }
    }

    private func selectShippingMethod(_ id: String) async {
        guard let method = shippingMethods.first(where: { ($0.identifier ?? "") == id }) else { return rest() }
        update { $0.selectedShippingMethod = id }
        let update: PKPaymentRequestShippingMethodUpdate? = await ask("didSelectShippingMethod") { $0.didSelect(method) }
        if let update { apply(update) }
    }

    private func enterCouponCode(_ code: String) async {
        guard request.supportsCouponCode else { return rest() }
        update {
            $0.couponCode = code
            $0.problems.removeAll { $0.code.hasPrefix("couponCode") }
        }
        let update: PKPaymentRequestCouponCodeUpdate? = await ask("didChangeCouponCode") { $0.didChangeCouponCode(code) }
        if let update { apply(update) }
    }

    private func requestMerchantSession() async {
        let update: PKPaymentRequestMerchantSessionUpdate? = await ask("didRequestMerchantSessionUpdate") {
            $0.didRequestMerchantSession()
        }
        guard let update else { return }
        guard update.status == .success, update.session != nil else { return end(.failed, message: "Payment Not Completed") }
        rest()
    }

    private func apply(_ update: PKPaymentRequestUpdate) {
        guard !update.isUnimplemented else { return rest() }
        guard let problems = problems(from: update.reportedErrors, atAuthorization: false) else { return }
        guard update.status == .success || !problems.isEmpty else { return end(.failed, message: "Payment Not Completed") }
        if update.paymentSummaryItems.isEmpty {
            device.record(.emptyItems, "an update without items: the sheet shows a zero total")
        }
        checkItems(update.paymentSummaryItems)
        items = update.paymentSummaryItems
        if update.replacesShippingMethods { shippingMethods = update.shippingMethods }
        var next = state
        show(items: items, in: &next)
        show(shippingMethods: shippingMethods, in: &next)
        next.problems = problems
        next.phase = restingPhase
        state = next
    }

    /// Translates the app's errors for the screen. Nil: one of them crashed the app.
    func problems(from errors: [any Error], atAuthorization: Bool) -> [SheetState.Problem]? {
        var problems: [SheetState.Problem] = []
        for error in errors.map({ $0 as NSError }) {
            guard error.domain == PKPaymentErrorDomain else {
                device.record(.foreignError, "an error of the domain \(error.domain), code \(error.code): the app crashes on a device")
                end(.failed, message: "The app stopped working.")
                return nil
            }
            let code = PKPaymentError.Code(rawValue: error.code) ?? .unknownError
            let field = error.userInfo[PKPaymentErrorKey.contactFieldUserInfoKey.rawValue] as? String
            let key = error.userInfo[PKPaymentErrorKey.postalAddressUserInfoKey.rawValue] as? String
            let isPostal = field == nil || field == PKContactField.postalAddress.rawValue
            guard atAuthorization || (isPostal && key != CNPostalAddressStreetKey) else {
                device.record(.fieldNotShown, "\(key ?? field ?? "") was blamed before authorisation, when the app cannot know it")
                continue
            }
            problems.append(
                .init(code: "\(code)", field: key ?? field, message: error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""))
        }
        return problems
    }
}
