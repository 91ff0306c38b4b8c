import Foundation
import Testing

@testable import PassKitSimulator

/// Names that came after the flow was whole, and those that older apps still read.
@MainActor @Suite struct LaterNamesTests {
    private final class Payer: NSObject, PKPaymentAuthorizationControllerDelegate, PKPaymentAuthorizationViewControllerDelegate {
        let window = UIWindow(frame: .zero)
        var windowsAsked = 0
        var finishes = 0
        var payment: PKPayment?

        func presentationWindow(for controller: PKPaymentAuthorizationController) -> UIWindow? {
            windowsAsked += 1
            return window
        }

        func paymentAuthorizationController(
            _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
            handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void
        ) {
            self.payment = payment
            let result = PKPaymentAuthorizationResult(status: .success, errors: nil)
            result.orderDetails = PKPaymentOrderDetails(
                orderTypeIdentifier: "order.example.tea", orderIdentifier: "T-1", webServiceURL: URL(string: "https://tea.example")!,
                authenticationToken: "token")
            completion(result)
        }

        func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) { finishes += 1 }

        func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { finishes += 1 }
    }

    private func payout() -> PKDisbursementRequest {
        let request = PKDisbursementRequest(
            merchantIdentifier: "merchant.example.tea", currency: Locale.Currency("USD"), region: Locale.Region("US"),
            supportedNetworks: [.visa], merchantCapabilities: [.threeDSecure, .instantFundsOut],
            summaryItems: [
                PKPaymentSummaryItem(label: "Balance", amount: 20), PKInstantFundsOutFeeSummaryItem(label: "Fee", amount: 1),
                PKDisbursementSummaryItem(label: "Tea House", amount: 19),
            ])
        request.requiredRecipientContactFields = [.name]
        return request
    }

    @Test func aControllerThatPaysOutShowsNothing() async {
        let device = Fixture.device()
        let payer = Payer()
        let screen = UIViewController()
        await SimulatedDevice.$current.withValue(device) {
            let controller = PKPaymentAuthorizationController(disbursementRequest: payout())
            controller.delegate = payer
            #expect(await controller.present() == false)
            #expect(payer.finishes == 0 && controller.sheet == nil)
            let view = PKPaymentAuthorizationViewController(disbursementRequest: payout())
            view.delegate = payer
            screen.present(view, animated: true)
            #expect(payer.finishes == 1 && view.sheet == nil)
        }
        #expect(device.faults.map(\.code) == [.requestRefused, .requestRefused])
    }

    @Test func errorsOfAPayoutHaveDomainAndCode() {
        let unsupported = PKDisbursementRequest.disbursementCardUnsupportedError() as NSError
        #expect(unsupported.domain == PKDisbursementErrorDomain && unsupported.code == 1)
        let contact =
            PKDisbursementRequest.disbursementContactInvalidError(withContactField: .name, localizedDescription: "no name") as NSError
        #expect(contact.code == PKDisbursementError.Code.recipientContactInvalidError.rawValue)
        #expect(contact.localizedDescription == "no name")
        #expect(contact.userInfo[PKDisbursementErrorKey.contactFieldUserInfoKey.rawValue] as? String == "name")
        #expect((PKDisbursementError(.unknownError) as NSError).code == -1)
    }

    @Test func laterNamesAreThere() async throws {
        let device = Fixture.device(cards: [Fixture.visaCard])
        let payer = Payer()
        let request = Counter().request()
        (request.requiredShippingAddressFields, request.shippingMethods) = ([], nil)
        #expect(request.applePayLaterAvailability == .available && request.attributionIdentifier == nil && !request.isDelegatedRequest)
        request.applePayLaterAvailability = .unavailable(.recurringTransaction)
        let controller = SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationController(paymentRequest: request) }
        controller.delegate = payer
        #expect(await SimulatedDevice.$current.withValue(device) { await controller.present() })
        #expect(payer.windowsAsked == 1)
        let sheet = try #require(controller.sheet)
        await sheet.settle()
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(sheet.state.phase == .succeeded, "an order to follow changes nothing about the payment")
        let token = try #require(payer.payment).token
        #expect(token.paymentNetwork == token.paymentMethod.network?.rawValue && token.paymentMethod.billingAddress == nil)
        #expect(token.paymentInstrumentName == token.paymentMethod.displayName)
        let days = DateComponents(year: 2026, month: 11, day: 30)
        #expect(PKDateComponentsRange(start: days, end: days)?.startDateComponents == days)
    }

    @Test func errorsOfAPaymentCarryWhatTheAppSays() {
        let error = PKPaymentError(.shippingContactInvalidError, userInfo: [NSLocalizedDescriptionKey: "no such street"])
        #expect(error.code == PKPaymentError.shippingContactInvalidError && error.localizedDescription == "no such street")
        #expect((error as NSError).domain == PKPaymentErrorDomain && (error as NSError).localizedDescription == "no such street")
        #expect(PKPaymentError.shippingContactInvalidError ~= error && !(PKPaymentError.unknownError ~= error))
        #expect(PKPaymentError(.couponCodeExpiredError).localizedDescription.isEmpty)
    }

    @Test func everyNetworkIsKnownOnce() {
        let known = SimulatedDevice.$current.withValue(Fixture.device()) { PKPaymentRequest.availableNetworks() }
        #expect(Set(known).count == known.count && known.contains(.chinaUnionPay))
        let newer: [PKPaymentNetwork] = [.bankAxept, .meeza, .NAPAS, .postFinance, .pagoBancomat, .tmoney, .suica, .quicPay, .idCredit]
        #expect(Set(newer).isDisjoint(with: known), "no simulated system pays by it")
    }
}
