// How a payment is made (alipay-plus.md#pay [D]).

/// The five ways in which one `pay` is made (alipay-plus.md#pay).
public enum PaymentScenario: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person chooses a wallet on the payment sheet.
    case cashier
    /// An access token pays without the person.
    case automaticDebit
    /// The person's code was scanned at the till.
    case paymentCode
    /// The person scanned the store's static code, and its page asks.
    case entryCode
    /// The person scans a code made for this order.
    case orderCode
}

/// How it is paid.
public struct WirePaymentMethod: WireMessage {
    /// What goes with an access token.
    public struct MetaData: WireMessage {
        /// The same as in `prepare`.
        public var authClientId: String?

        public init(authClientId: String? = nil) { self.authClientId = authClientId }
    }

    public var paymentMethodType: PaymentMethodType
    /// The access token of an automatic debit, or the code that the person shows. A secret.
    public var paymentMethodId: String?
    public var customerId: String?
    public var paymentMethodMetaData: MetaData?

    public init(
        paymentMethodType: PaymentMethodType, paymentMethodId: String? = nil, customerId: String? = nil,
        paymentMethodMetaData: MetaData? = nil
    ) {
        self.paymentMethodType = paymentMethodType
        self.paymentMethodId = paymentMethodId
        self.customerId = customerId
        self.paymentMethodMetaData = paymentMethodMetaData
    }
}

/// The scenario's switches. A client that drops `false` means it [O].
public struct WirePaymentFactor: WireMessage {
    public var isCashierPayment: Bool?
    public var presentmentMode: PresentmentMode?
    public var isAgreementPayment: Bool?
    public var isInStorePayment: Bool?
    public var inStorePaymentScenario: InStorePaymentScenario?
    public var isPaymentEvaluation: Bool?
    public var needSurcharge: Bool?

    public init(
        isCashierPayment: Bool? = nil, presentmentMode: PresentmentMode? = nil, isAgreementPayment: Bool? = nil,
        isInStorePayment: Bool? = nil, inStorePaymentScenario: InStorePaymentScenario? = nil, isPaymentEvaluation: Bool? = nil,
        needSurcharge: Bool? = nil
    ) {
        self.isCashierPayment = isCashierPayment
        self.presentmentMode = presentmentMode
        self.isAgreementPayment = isAgreementPayment
        self.isInStorePayment = isInStorePayment
        self.inStorePaymentScenario = inStorePaymentScenario
        self.isPaymentEvaluation = isPaymentEvaluation
        self.needSurcharge = needSurcharge
    }

    /// The scenario that the switches name; nil when they name none, or several.
    public var scenario: PaymentScenario? {
        let inStore: PaymentScenario? =
            switch inStorePaymentScenario {
            case .paymentCode?: .paymentCode
            case .orderCode?: .orderCode
            case .entryCode?: .entryCode
            default: nil
            }
        // The older dialect names the scenario alone [O].
        let isInStore = isInStorePayment ?? (inStorePaymentScenario != nil)
        switch (isCashierPayment ?? false, isAgreementPayment ?? false, isInStore) {
        case (true, false, false): return .cashier
        case (false, true, false): return .automaticDebit
        case (false, false, true): return inStore
        default: return nil
        }
    }
}

/// In what the acquirer is paid.
public struct WireSettlementStrategy: WireMessage {
    /// Three letters.
    public var settlementCurrency: String?

    public init(settlementCurrency: String? = nil) {
        self.settlementCurrency = settlementCurrency
    }
}
