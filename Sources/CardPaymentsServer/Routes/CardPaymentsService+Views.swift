import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Foundation

/// An order as its shop and its shopper's phone see it.
extension CardPaymentsService {
    func view(_ order: Order, _ merchant: MerchantProfile, payments: [Payment], secret: String? = nil) throws -> OrderView {
        let now = context.clock.now()
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let quote = try OrderPricing(order: definition, rounding: context.configuration.rounding)
            .quote(OrderPricing.Choice(), at: order.createdAt.date)
        return OrderView(
            id: order.id.description, reference: order.reference, state: Self.state(of: order, payments: payments, at: now),
            goods: definition.goods.rawValue, currency: definition.currency.alphabeticCode, country: definition.country,
            merchantName: definition.merchantName, merchantIdentifier: merchant.applePayIdentifier,
            supportedNetworks: merchant.supportedNetworks, merchantCapabilities: merchant.merchantCapabilities,
            applicationData: Data(order.applicationData).base64EncodedString(),
            // Delivered goods need an address to go to, electronic ones an e-mail only (apple-pay.md#contact-fields).
            requiredShippingContactFields: definition.goods == .delivered
                ? ["postalAddress", "name", "phoneNumber", "emailAddress"] : ["emailAddress"],
            items: quote.items, total: quote.total.text, shippingMethods: definition.shippingMethods,
            supportsCouponCode: !definition.coupons.isEmpty, clientSecret: secret, expiresAt: order.expiresAt.text,
            payments: payments.map { PaymentView(id: $0.id.description, state: $0.state.rawValue, reason: $0.reason) })
    }

    func quote(_ order: Order, _ choice: OrderPricing.Choice) throws -> QuoteView {
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let quote = try OrderPricing(order: definition, rounding: context.configuration.rounding)
            .quote(choice, at: context.clock.now().date)
        return QuoteView(
            items: quote.items, total: quote.total.text, shippingMethods: definition.shippingMethods, errors: quote.errors)
    }
}
