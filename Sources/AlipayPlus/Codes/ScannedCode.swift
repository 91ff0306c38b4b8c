public import AlipayPlusValues

/// What a scanned or shown text is.
public enum ScannedCode: Sendable, Hashable {
    case paymentCode(PaymentCode)
    case orderCode(OrderCode)
    case merchantCode(StandardMerchantCode)
    case entryCode(EntryCode)
    case emvco(EMVCoCode)

    /// `malformed-code` for a text that is none of them.
    /// - Parameters:
    ///   - text: As scanned, without blanks around it.
    ///   - entryDomains: The domains on which an acquirer registered entry codes; any other address is none.
    public init(_ text: String, entryDomains: Set<String> = []) throws(AlipayPlusError) {
        if let code = try? PaymentCode(text) {
            self = .paymentCode(code)
        } else if let code = try? StandardMerchantCode(text) {
            self = .merchantCode(code)
        } else if let code = try? OrderCode(text) {
            self = .orderCode(code)
        } else if let code = try? EMVCoCode(text) {
            self = .emvco(code)
        } else if let code = try? EntryCode(text, domains: entryDomains) {
            self = .entryCode(code)
        } else {
            throw AlipayPlusError(code: .malformedCode, reason: "the text is no payment, order, entry or merchant code")
        }
    }

    /// A stable name: `payment-code`, `order-code`, `mpm-gpld`, `entry-code`, `emvco`.
    public var kind: String {
        switch self {
        case .paymentCode: "payment-code"
        case .orderCode: "order-code"
        case .merchantCode: "mpm-gpld"
        case .entryCode: "entry-code"
        case .emvco: "emvco"
        }
    }
}
