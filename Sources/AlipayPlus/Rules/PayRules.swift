/// One rule of `pay`, in a type of its own, that a request keeps or breaks.
protocol PayRule: Sendable {
    /// Nil where the rule does not apply.
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation?
}

/// The rules of `pay`, in the order in which they are looked at (alipay-plus.md#pay [D]).
enum PayRules {
    static let all: [any PayRule] = [
        PositiveAmountRule(), TerminalRule(), RedirectRule(), StoreRule(), UserAgentRule(), AgreementRule(), ShownCodeRule(),
        MethodTypeRule(),
    ]
}

extension PayRequest {
    private static let scenarios =
        "names none of the five scenarios, or several: isCashierPayment or isAgreementPayment is true, or isInStorePayment and"
        + " inStorePaymentScenario is PaymentCode, EntryCode or OrderCode"

    /// The rules of the request's scenario; a request that names none, or several, breaks that alone.
    public var ownViolations: [RequestViolation] {
        guard let scenario = paymentFactor?.scenario else {
            return [RequestViolation("paymentFactor", Self.scenarios)]
        }
        return PayRules.all.compactMap { $0.violation(in: self, scenario) }
    }
}

/// Nothing is paid with zero, unless it is only evaluated.
struct PositiveAmountRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard request.paymentAmount.value == "0", request.paymentFactor?.isPaymentEvaluation != true else { return nil }
        return RequestViolation("paymentAmount", "is zero")
    }
}

/// The cashier draws its page for the device.
struct TerminalRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard scenario == .cashier else { return nil }
        guard let terminal = request.order.env?.terminalType else { return .missing("order.env.terminalType") }
        guard [.web, .wap, .app, .miniApp].contains(terminal) else {
            return RequestViolation("order.env.terminalType", "is none of WEB, WAP, APP, MINI_APP")
        }
        guard terminal == .app || terminal == .wap else { return nil }
        guard let system = request.order.env?.osType else { return .missing("order.env.osType") }
        return system == .ios || system == .android ? nil : RequestViolation("order.env.osType", "is neither IOS nor ANDROID")
    }
}

/// Where the person goes afterwards.
struct RedirectRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard scenario == .cashier || scenario == .entryCode else { return nil }
        return request.paymentRedirectUrl == nil ? .missing("paymentRedirectUrl") : nil
    }
}

/// In a store, which store; for a shown code, which terminal.
struct StoreRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard [.paymentCode, .entryCode, .orderCode].contains(scenario) else { return nil }
        guard let store = request.order.merchant?.store else { return .missing("order.merchant.store") }
        guard scenario == .paymentCode, store.storeTerminalId == nil, request.order.env?.storeTerminalId == nil else { return nil }
        return .missing("order.merchant.store.storeTerminalId")
    }
}

/// The browser that opened the entry code tells the wallet.
struct UserAgentRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        scenario == .entryCode && request.order.env?.userAgent == nil ? .missing("order.env.userAgent") : nil
    }
}

/// An automatic debit has its token, and the client for which it was granted.
struct AgreementRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard scenario == .automaticDebit else { return nil }
        guard request.paymentMethod.paymentMethodId != nil else { return .missing("paymentMethod.paymentMethodId") }
        return request.paymentMethod.paymentMethodMetaData?.authClientId == nil
            ? .missing("paymentMethod.paymentMethodMetaData.authClientId") : nil
    }
}

/// The code that the person showed is one.
struct ShownCodeRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        guard scenario == .paymentCode else { return nil }
        guard let code = request.paymentMethod.paymentMethodId else { return .missing("paymentMethod.paymentMethodId") }
        guard (try? PaymentCode(code)) == nil else { return nil }
        return RequestViolation("paymentMethod.paymentMethodId", "is no payment code", as: .invalidCode)
    }
}

/// In a store nobody knows the wallet yet; an automatic debit knows it.
struct MethodTypeRule: PayRule {
    func violation(in request: PayRequest, _ scenario: PaymentScenario) -> RequestViolation? {
        let isOpen = request.paymentMethod.paymentMethodType == .connectWallet
        switch scenario {
        case .cashier: return nil
        case .automaticDebit where isOpen: return RequestViolation("paymentMethod.paymentMethodType", "names no wallet")
        case .automaticDebit: return nil
        case .paymentCode, .entryCode, .orderCode:
            return isOpen ? nil : RequestViolation("paymentMethod.paymentMethodType", "is not CONNECT_WALLET")
        }
    }
}
