import Foundation

/// The rules of apple-pay.md#payment-request, apple-pay.md#summary-items and apple-pay.md#several-tokens that make PassKit refuse a
/// request. One case, one rule.
public enum RequestRule: String, Sendable, CaseIterable {
    case merchantIdentifierMissing = "merchant-identifier-missing"
    case merchantIdentifierNotEntitled = "merchant-identifier-not-entitled"
    case countryCodeMalformed = "country-code-malformed"
    case currencyCodeMalformed = "currency-code-malformed"
    case networksMissing = "networks-missing"
    case threeDSecureMissing = "three-d-secure-missing"
    case itemsMissing = "items-missing"
    case amountNotANumber = "amount-not-a-number"
    case totalNegative = "total-negative"
    case severalKinds = "several-kinds-of-later-charge"
    case contextAmounts = "token-context-amounts"

    @MainActor
    static func broken(by request: PKPaymentRequest, entitled: Set<String>?) -> RequestRule? {
        allCases.first { $0.isBroken(by: request, entitled: entitled) }
    }

    @MainActor
    private func isBroken(by request: PKPaymentRequest, entitled: Set<String>?) -> Bool {
        switch self {
        case .merchantIdentifierMissing: request.merchantIdentifier.isEmpty
        case .merchantIdentifierNotEntitled: entitled.map { !$0.contains(request.merchantIdentifier) } ?? false
        case .countryCodeMalformed: !Self.isUpperCase(request.countryCode, count: 2)
        case .currencyCodeMalformed: !Self.isUpperCase(request.currencyCode, count: 3)
        case .networksMissing: request.supportedNetworks.isEmpty
        case .threeDSecureMissing: !request.merchantCapabilities.contains(.threeDSecure)
        case .itemsMissing: request.paymentSummaryItems.isEmpty
        case .amountNotANumber: request.paymentSummaryItems.contains { $0.amount == NSDecimalNumber.notANumber }
        case .totalNegative: request.paymentSummaryItems.last.map { $0.amount.decimalValue < 0 } ?? false
        case .severalKinds: Self.kinds(of: request).count > 1
        case .contextAmounts: !Self.contextsFit(request)
        }
    }

    private static func isUpperCase(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    static func kinds(of request: PKPaymentRequest) -> [AuthorizedPayment.Kind] {
        var kinds: [AuthorizedPayment.Kind] = []
        if !request.multiTokenContexts.isEmpty { kinds.append(.multipleMerchants) }
        if request.recurringPaymentRequest != nil { kinds.append(.recurring) }
        if request.automaticReloadPaymentRequest != nil { kinds.append(.automaticReload) }
        if request.deferredPaymentRequest != nil { kinds.append(.deferred) }
        return kinds
    }

    private static func contextsFit(_ request: PKPaymentRequest) -> Bool {
        guard let total = request.paymentSummaryItems.last?.amount.decimalValue else { return true }
        let amounts = request.multiTokenContexts.map { $0.amount.decimalValue }
        return amounts.allSatisfy { $0 >= 0 } && amounts.reduce(0, +) <= total
    }
}
