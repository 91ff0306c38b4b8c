import Foundation

// From the double click to the result.
extension PaymentSheet {
    func authorize() async {
        guard app != nil, let card = cards.first(where: { $0.id == state.selectedCard }) else { return rest() }
        let contact = contacts.first { $0.id == state.selectedContact }
        guard !state.asksContact || contact != nil else {
            state.message = "Choose a contact."
            return rest()
        }
        guard state.problems.isEmpty else {
            state.message = "Correct what is marked."
            return rest()
        }
        state.message = nil
        app?.willAuthorize()

        guard card.network != .chinaUnionPay || request.merchantCapabilities.contains(.emv) else { return await freeze() }
        if card.pinRule?.asks(for: total, currencyCode: request.currencyCode) == true {
            guard await askPIN(message: nil) else { return }
        }
        await submit(card: card, contact: contact)
    }

    private var total: Decimal { items.last?.amount.decimalValue ?? 0 }

    private func submit(card: WalletCard, contact: SimulatedContact?) async {
        while !state.phase.isOver {
            state.phase = .processing
            guard let payment = await payment(by: card, contact: contact) else {
                return end(.failed, message: "Payment Not Completed")
            }
            let result: PKPaymentAuthorizationResult? = await ask("didAuthorizePayment", phase: .processing) {
                $0.didAuthorize(payment)
            }
            guard let result else { return }
            switch result.status {
            case .success: return end(.succeeded, message: nil)
            case .pinRequired:
                guard await askPIN(message: nil) else { return }
            case .pinIncorrect:
                guard await askPIN(message: "Incorrect PIN") else { return }
            case .pinLockout: return end(.failed, message: "Too many attempts with a wrong PIN")
            case .failure, .invalidBillingPostalAddress, .invalidShippingPostalAddress, .invalidShippingContact:
                guard let problems = problems(from: result.reportedErrors, atAuthorization: true) else { return }
                // Without errors there is nothing to correct: the sheet says so and closes [I].
                guard !problems.isEmpty else { return end(.failed, message: "Payment Not Completed") }
                state.problems = problems
                return rest()
            }
        }
    }

    private func payment(by card: WalletCard, contact: SimulatedContact?) async -> PKPayment? {
        let authorized = AuthorizedPayment(
            card: card, merchantIdentifier: request.merchantIdentifier, merchantCapabilities: request.merchantCapabilities,
            supportedNetworks: request.supportedNetworks, countryCode: request.countryCode, currencyCode: request.currencyCode,
            amount: total, applicationData: request.applicationData, kind: RequestRule.kinds(of: request).first ?? .oneTime, pin: pin)
        pin = nil
        var issued: IssuedToken
        do {
            issued = try await device.tokenSource.token(for: authorized)
        } catch {
            device.record(.tokenRefused, "the wallet made no token")
            return nil
        }
        if device.configuration.isXcodeSimulator { issued.paymentData = Data() }
        let billing = card.billingContact ?? contact
        let method = PKPaymentMethod(displayName: card.displayName, network: card.network, type: card.type)
        let asksBilling = !request.billingFields.isEmpty
        return PKPayment(
            token: PKPaymentToken(
                paymentMethod: method, transactionIdentifier: issued.transactionIdentifier, paymentData: issued.paymentData),
            billingContact: asksBilling ? billing?.disclosed(request.billingFields) : nil,
            shippingContact: state.asksContact ? contact?.disclosed(request.shippingFields) : nil,
            shippingMethod: shippingMethods.first { ($0.identifier ?? "") == state.selectedShippingMethod })
    }

    /// A UnionPay card in a request without `emv`: nothing ever comes back, and the sheet gives up (apple-pay.md#capabilities [O]).
    private func freeze() async {
        device.record(.emvMissing, "a UnionPay card was authorised in a request without the emv capability")
        state.phase = .processing
        do { try await device.timer.sleep(Self.callbackLimit) } catch { return }
        end(.failed, message: "Payment Not Completed")
    }

    private func askPIN(message: String?) async -> Bool {
        state.message = message
        state.phase = .enteringPIN
        await withCheckedContinuation { pinEntry = $0 }
        return !state.phase.isOver && pin != nil
    }

    func enterPIN(_ digits: String) {
        guard state.phase == .enteringPIN else { return }
        guard let entered = EnteredPIN(digits) else {
            state.message = "Six digits"
            return
        }
        pin = entered
        state.message = nil
        state.phase = .processing
        pinEntry?.resume()
        pinEntry = nil
    }
}
