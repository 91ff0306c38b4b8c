import BillfoldMoney

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

extension PKPaymentRequest {
    /// Builds the request from a server-side order (apple-pay.md#payment-request).
    ///
    /// Networks that the system does not know are left out, and `emv` with UnionPay, which alone may have it (apple-pay.md#capabilities);
    /// an unknown name is refused. Shipping methods go along only with
    /// delivered goods.
    public static func request(for order: CheckoutOrder) throws(ApplePayAppError) -> PKPaymentRequest {
        var names: [NetworkName] = []
        for name in order.supportedNetworks { names.append(try NetworkName(exactly: name)) }
        let available = Set(PKPaymentRequest.availableNetworks())
        let networks = names.map(\.network).filter { available.contains($0) }
        guard !networks.isEmpty else {
            throw ApplePayAppError(code: .noNetworkAvailable, reason: "this system knows none of the order's networks")
        }
        var fields: Set<PKContactField> = []
        for name in order.requiredShippingContactFields { fields.insert(try ContactFieldName(exactly: name).field) }

        let request = PKPaymentRequest()
        request.merchantIdentifier = order.merchantIdentifier
        request.countryCode = order.country
        request.currencyCode = order.currency.alphabeticCode
        request.supportedNetworks = networks
        request.merchantCapabilities = try MerchantCapabilities.capabilities(named: order.merchantCapabilities, for: names)
        if !networks.contains(.chinaUnionPay) { request.merchantCapabilities.remove(.emv) }
        request.paymentSummaryItems = try SummaryItems.items(order.items, total: order.total, merchantName: order.merchantName)
        request.requiredShippingContactFields = fields
        request.applicationData = order.applicationData
        request.supportsCouponCode = order.supportsCouponCode
        if order.goods == .delivered {
            request.shippingType = .shipping
            request.shippingMethods = SummaryItems.shippingMethods(order.shippingMethods)
        }
        return request
    }
}
