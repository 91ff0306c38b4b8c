/// The rules of alipay.md#modern-order for the parameters that every modern request has.
public enum CommonParameterRules {
    public static let rules: [any OrderRule] =
        ["app_id", "method", "charset", "sign_type", "timestamp", "version"].map { RequiredParameterRule(name: $0) as any OrderRule } + [
            ConstantParameterRule(name: "format", allowed: ["JSON", "json"]), ConstantParameterRule(name: "version", allowed: ["1.0"]),
            TimestampRule(), AddressRule(name: "notify_url", maximum: 256), CertificateSerialsRule(),
        ] + [("app_id", 32), ("method", 128), ("charset", 10), ("app_auth_token", 40)].map { LengthRule(name: $0.0, maximum: $0.1) }

    /// What the request breaks, one for each rule at most and in the order of ``rules``; empty when all hold.
    public static func violations(in request: VerifiedModernRequest) -> [RuleViolation] {
        let values = OrderValues(request.parameters)
        return rules.compactMap { $0.violation(in: values) }
    }
}

/// `timestamp`: 19 characters of a real moment. How far it may be off, the gateway says.
public struct TimestampRule: OrderRule {
    public let code = "alipay.timestamp"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["timestamp"], (try? AlipayTime(value)) == nil else { return nil }
        return broken("timestamp", "is not yyyy-MM-dd HH:mm:ss")
    }
}

/// Certificate mode has both `app_cert_sn` and `alipay_root_cert_sn`; the latter is one serial number or several joined by `_`.
public struct CertificateSerialsRule: OrderRule {
    public let code = "alipay.certificate-serials"

    public func violation(in order: OrderValues) -> RuleViolation? {
        let (app, root) = (order["app_cert_sn"], order["alipay_root_cert_sn"])
        guard app != nil || root != nil else { return nil }
        guard let app else { return broken("app_cert_sn", "is missing beside alipay_root_cert_sn", isMissing: true) }
        guard let root else { return broken("alipay_root_cert_sn", "is missing beside app_cert_sn", isMissing: true) }
        guard Self.isSerial(app[...]) else { return broken("app_cert_sn", "is not 32 lower-case hexadecimal digits") }
        let isBundle = root.split(separator: "_", omittingEmptySubsequences: false).allSatisfy(Self.isSerial)
        return isBundle ? nil : broken("alipay_root_cert_sn", "is not serial numbers joined by _")
    }

    private static func isSerial(_ text: Substring) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
