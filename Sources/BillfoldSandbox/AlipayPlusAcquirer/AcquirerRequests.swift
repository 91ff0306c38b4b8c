import AlipayPlus

/// What the acquirer asks Alipay+ for.
extension AlipayPlusAcquirerService {
    /// One attempt to have an order paid.
    ///
    /// - Parameters:
    ///   - code: What the customer showed.
    ///   - agreement: Whose balance is debited.
    ///   - userAgent: Of the browser that opened the store's page.
    func payRequest(
        _ id: String, for order: AcquirerOrder, by way: PaymentScenario, code: String?, agreement: AcquirerAgreement?, userAgent: String?
    ) -> PayRequest {
        let price = WireAmount(order.price)
        let store = WireStore(
            referenceStoreId: "PIER-9", storeName: AcquirerContract.merchantName, storeMCC: AcquirerContract.merchantMCC,
            storeTerminalId: "TILL-1")
        let (isInStore, redirects) = ([.paymentCode, .orderCode, .entryCode].contains(way), way == .cashier || way == .entryCode)
        return PayRequest(
            paymentRequestId: id, paymentAmount: price,
            order: WireOrder(
                referenceOrderId: order.id, orderDescription: order.subject, orderAmount: price,
                merchant: WireMerchant(
                    referenceMerchantId: AcquirerContract.merchantID, merchantMCC: AcquirerContract.merchantMCC,
                    merchantName: AcquirerContract.merchantName, store: isInStore ? store : nil),
                buyer: WireBuyer(referenceBuyerId: agreement?.customer ?? "guest"), env: Self.env(way, userAgent)),
            paymentMethod: Self.method(code: code, agreement: agreement), paymentFactor: Self.factor(way),
            paymentNotifyUrl: origin + AcquirerRoutes.notifyPath,
            paymentRedirectUrl: redirects ? "\(shop)/plus-shop/return?order=\(order.id)" : nil)
    }

    private static func env(_ way: PaymentScenario, _ userAgent: String?) -> WireEnv {
        switch way {
        case .cashier: WireEnv(terminalType: .app, osType: .ios)
        case .automaticDebit: WireEnv(terminalType: .web)
        // Without a browser's word it is a wallet's, by whose name the real one is known (alipay-plus.md#entry-code [D]).
        case .entryCode: WireEnv(terminalType: .wap, userAgent: userAgent ?? "AlipayConnect")
        case .paymentCode, .orderCode: WireEnv(storeTerminalId: "TILL-1")
        }
    }

    private static func method(code: String?, agreement: AcquirerAgreement?) -> WirePaymentMethod {
        guard let agreement else { return WirePaymentMethod(paymentMethodType: .connectWallet, paymentMethodId: code) }
        return WirePaymentMethod(
            paymentMethodType: PaymentMethodType(rawValue: agreement.wallet), paymentMethodId: agreement.accessToken,
            customerId: agreement.customer, paymentMethodMetaData: .init(authClientId: AcquirerContract.merchantID))
    }

    private static func factor(_ way: PaymentScenario) -> WirePaymentFactor {
        switch way {
        case .cashier: WirePaymentFactor(isCashierPayment: true, presentmentMode: .unified)
        case .automaticDebit: WirePaymentFactor(isAgreementPayment: true)
        case .paymentCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .paymentCode)
        case .orderCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .orderCode)
        case .entryCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .entryCode)
        }
    }
}
