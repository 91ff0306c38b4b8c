import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Foundation

/// An order as its shop and its shopper's phone see it.
extension CardPaymentsService {
    /// Who looks at an order. The shop's own notes are for the shop.
    enum Reader {
        case merchant
        case customer
    }

    func view(_ order: Order, _ merchant: MerchantProfile, payments: [Payment], for reader: Reader) throws -> OrderView {
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
            requiredShippingContactFields: definition.fieldsOfSheet.map(\.rawValue),
            items: quote.items, total: quote.total.text, shippingMethods: definition.shippingMethods,
            supportsCouponCode: !definition.coupons.isEmpty, createdAt: order.createdAt.text, expiresAt: order.expiresAt.text,
            metadata: reader == .merchant ? definition.metadata : nil,
            payments: payments.map { PaymentView(id: $0.id.description, state: $0.state.rawValue, reason: $0.reason) })
    }

    /// The answer to a request that made an order: the first one, or the present view where its key was forgotten.
    ///
    /// The secret goes in at its place among the members, so that the bytes are the same each time.
    func answer(about made: MadeOrder, _ merchant: MerchantProfile) async throws -> [UInt8] {
        let bytes: [UInt8]
        if let first = made.answer {
            bytes = first
        } else {
            bytes = try JSONDocument.encode(view(made.order, merchant, payments: await payments(of: made.order), for: .merchant))
        }
        var object = try JSONReader.readObject(bytes, maximumBytes: bytes.count)
        object["clientSecret"] = .string(made.clientSecret)
        object.members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return JSONWriter.write(object)
    }

    func quote(_ order: Order, _ choice: OrderPricing.Choice) throws -> QuoteView {
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let quote = try OrderPricing(order: definition, rounding: context.configuration.rounding)
            .quote(choice, at: context.clock.now().date)
        return QuoteView(
            items: quote.items, total: quote.total.text, shippingMethods: definition.shippingMethods, errors: quote.errors)
    }
}
