import Foundation
import Testing

@testable import PassKitSimulator

/// What old requests ask of an address, and items that are made empty.
@MainActor @Suite struct AddressFieldTests {
    @Test func numbersAreThoseOfTheHeader() {
        let fields: [PKAddressField] = [[], .postalAddress, .phone, .email, .name, .all]
        #expect(fields.map(\.rawValue) == [0, 1, 2, 4, 8, 15])
    }

    private nonisolated static let translations: [(PKAddressField, Set<PKContactField>)] = [
        (.postalAddress, [.postalAddress, .name]), (.phone, [.phoneNumber]), (.email, [.emailAddress]), (.name, [.name]),
        (.all, [.postalAddress, .name, .phoneNumber, .emailAddress]), ([], []),
    ]

    @Test(arguments: translations)
    func theOldPropertyAsksForTheSame(old: PKAddressField, fields: Set<PKContactField>) {
        let request = PKPaymentRequest()
        request.requiredShippingAddressFields = old
        request.requiredBillingAddressFields = old
        #expect(request.shippingFields == fields)
        #expect(request.billingFields == fields)
    }

    @Test func theNewerPropertyWins() {
        let request = PKPaymentRequest()
        request.requiredShippingAddressFields = .all
        request.requiredBillingAddressFields = .all
        request.requiredShippingContactFields = [.emailAddress]
        request.requiredBillingContactFields = [.name]
        #expect(request.shippingFields == [.emailAddress])
        #expect(request.billingFields == [.name])
    }

    @Test func electronicGoodsAskForAnEMailAddressAlone() async throws {
        let device = Fixture.device()
        let counter = Counter()
        let request = counter.request()
        request.requiredShippingAddressFields = .email
        request.shippingMethods = nil
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Tea House", amount: 8)]
        let delegate = counter.delegate(.completion)
        let controller = try #require(
            SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationViewController(paymentRequest: request) })
        controller.delegate = delegate
        let screen = UIViewController()
        screen.present(controller, animated: true)
        let sheet = try #require(controller.sheet)
        await sheet.settle()
        #expect(sheet.state.asksContact && !sheet.state.asksAddress)
        #expect(sheet.state.shippingMethods.isEmpty)
        #expect(sheet.state.contacts.first?.lines == ["li.wei@example.com"])
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(counter.calls == ["didSelectPaymentMethod", "willAuthorize", "didAuthorizePayment", "didFinish"])
        let contact = try #require(counter.payment?.shippingContact)
        #expect(contact.emailAddress == "li.wei@example.com")
        #expect(contact.postalAddress == nil && contact.name == nil && contact.phoneNumber == nil)
        #expect(counter.payment?.shippingMethod == nil)
    }

    @Test func anItemIsMadeEmptyAndFilled() {
        let method = PKShippingMethod()
        #expect(method.label.isEmpty && method.amount == .zero && method.type == .final && method.identifier == nil)
        method.label = "By bicycle"
        method.amount = NSDecimalNumber(string: "12.50")
        method.identifier = "bicycle"
        method.detail = "Before noon"
        #expect(method.amount.decimalValue == Decimal(string: "12.5"))
    }

    @Test func anUpdateIsMadeEmptyAndFilled() {
        let updates: [PKPaymentRequestUpdate] = [
            PKPaymentRequestPaymentMethodUpdate(), PKPaymentRequestShippingContactUpdate(), PKPaymentRequestShippingMethodUpdate(),
            PKPaymentRequestCouponCodeUpdate(),
        ]
        #expect(updates.allSatisfy { $0.status == .success && $0.paymentSummaryItems.isEmpty && !$0.isUnimplemented })
        #expect(PKPaymentRequestShippingContactUpdate(paymentSummaryItems: [PKPaymentSummaryItem()]).paymentSummaryItems.count == 1)
    }
}
