/// An order string of either generation, told apart by its grammar.
public enum ExpressOrder: Sendable, Hashable {
    /// `mobile.securitypay.pay` with quotation marks.
    case legacy(LegacyOrder)
    /// The Hong Kong wallet's `orderStr`: the same parameters without quotation marks, signed like a server call [D].
    case unquoted(LegacyServiceRequest)
    /// `alipay.trade.app.pay`.
    case modern(ModernOrder)

    public init(_ bytes: [UInt8], reading: AlipayReading = .strict) throws(AlipayError) {
        guard bytes.count <= AlipayParameters.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "the order has \(bytes.count) bytes")
        }
        if let equals = bytes.firstIndex(of: UInt8(ascii: "=")), bytes[(equals + 1)...].first == UInt8(ascii: "\"") {
            self = .legacy(try LegacyOrder(bytes, reading: reading))
            return
        }
        let parameters = try AlipayParameters(request: bytes)
        if parameters.bytes("service") != nil, parameters.bytes("method") == nil {
            guard reading == .asObserved || bytes.count <= LegacyOrder.maximumLength else {
                throw AlipayError(
                    code: .tooLarge, reason: "the order has \(bytes.count) bytes, at most \(LegacyOrder.maximumLength) are read")
            }
            self = .unquoted(try LegacyServiceRequest(read: parameters))
        } else {
            self = .modern(try ModernOrder(read: parameters))
        }
    }

    public var generation: AlipayGeneration {
        if case .modern = self { .modern } else { .legacy }
    }

    /// What the signature has to cover, for a refusal that shows it.
    public var signedBytes: [UInt8] {
        switch self {
        case .legacy(let order): order.signedBytes
        case .unquoted(let order): order.signedBytes
        case .modern(let order): order.signedBytes
        }
    }
}
