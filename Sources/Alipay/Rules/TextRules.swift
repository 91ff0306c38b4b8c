import BillfoldJSON

/// A URL that will be called or opened: http or https, and not longer than documented. Where it leads is the gateway's to check.
public struct AddressRule: OrderRule {
    public let code = "alipay.address"
    let name: String
    let maximum: Int

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name] else { return nil }
        guard value.unicodeScalars.count <= maximum else { return broken(name, "has more than \(maximum) characters") }
        let lower = value.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://"),
            value.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) })
        else { return broken(name, "is no http or https URL") }
        return nil
    }
}

/// Values that hold the names of Alipay's own parameters are taken for an attack (`isv.suspected-attack` [D]).
public struct ParameterNameRule: OrderRule {
    public let code = "alipay.suspected-attack"
    let name: String

    static let names = [
        "out_trade_no", "total_fee", "total_amount", "rmb_fee", "notify_url", "seller_id", "sign_type", "it_b_pay", "payment_type",
        "_input_charset", "biz_content", "trade_no", "trade_status", "refund_status", "notify_id", "notify_type", "notify_time",
    ]

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name]?.lowercased(), let found = Self.names.first(where: { Self.contains($0, in: value) }) else {
            return nil
        }
        return broken(name, "holds the parameter name \(found)")
    }

    /// By bytes, for the names are ASCII.
    static func contains(_ name: String, in value: String) -> Bool {
        var rest = value.utf8[...]
        while let start = rest.firstIndex(where: { $0 == name.utf8.first }) {
            if rest[start...].starts(with: name.utf8) { return true }
            rest = rest[rest.index(after: start)...]
        }
        return false
    }
}

/// Nothing of an order may read as a part of a notification: not the name of a parameter, and not `&name=` inside a value.
///
/// The key that signs notifications, as `name=value&name=value`, signs results too, and what is signed there the merchant wrote: with
/// such an order any merchant would have the gateway sign a notification of another's order [I].
public struct NotificationNameRule: OrderRule {
    public let code = "alipay.suspected-attack"

    /// Names of notifications that are no parameters of orders.
    static let foreign: Set<String> = [
        "notify_id", "notify_type", "notify_time", "trade_status", "trade_no", "refund_status", "success", "gmt_create", "gmt_payment",
        "gmt_close", "gmt_refund", "out_return_no", "return_amount", "return_rmb_amount", "error_code", "batch_no", "success_num",
        "result_details",
    ]
    private static let all = foreign.union([
        "out_trade_no", "total_fee", "price", "currency", "seller_id", "seller_email", "buyer_id", "buyer_email", "app_id", "sign",
        "sign_type", "partner", "total_amount", "refund_fee", "out_biz_no",
    ]).map { "&\($0)=" }.sorted()

    public func violation(in order: OrderValues) -> RuleViolation? {
        for name in order.names {
            if Self.foreign.contains(name.lowercased()) { return broken(name, "is a parameter of notifications") }
            guard let value = order.sent(name)?.lowercased(), value.utf8.contains(UInt8(ascii: "&")) else { continue }
            if let found = Self.all.first(where: { ParameterNameRule.contains($0, in: value) }) {
                return broken(name, "holds \(found), as notifications do")
            }
        }
        return nil
    }
}

/// A text that comes back in a signed notification does not read as further parameters there: see ``PairText`` [I].
public struct PairTextRule: OrderRule {
    public let code = "alipay.suspected-attack"
    let name: String

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name], PairText.readsAsPairs(value.utf8) else { return nil }
        return broken(name, "holds & and =, as a part of a notification does")
    }
}

/// A subject and a body are text for the payer: no control characters, and in documented modern orders none of `/ = &` [I].
public struct PlainTextRule: OrderRule {
    public let code = "alipay.plain-text"
    let name: String
    let banned: String

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name] else { return nil }
        let bad = value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || banned.unicodeScalars.contains($0) }
        return bad ? broken(name, "holds a special character") : nil
    }
}

/// `it_b_pay`, `timeout_express`: see ``PaymentTimeout``.
public struct TimeoutRule: OrderRule {
    public let code = "alipay.timeout"
    let name: String

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name], (try? PaymentTimeout(value)) == nil else { return nil }
        return broken(name, "is not a whole number of m, h or d from 1m to 15d, or 1c")
    }
}

/// `time_expire`: an absolute moment.
public struct ExpiryTimeRule: OrderRule {
    public let code = "alipay.expiry-time"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["time_expire"], (try? AlipayTime(expiry: value)) == nil else { return nil }
        return broken("time_expire", "is not yyyy-MM-dd HH:mm, or with seconds")
    }
}

/// `appenv`: `system=<platform>^version=<version>`.
public struct AppEnvironmentRule: OrderRule {
    public let code = "alipay.app-environment"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["appenv"] else { return nil }
        let parts = value.utf8.split(separator: UInt8(ascii: "^")).map {
            $0.split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
        }
        let isRight = parts.count == 2 && parts.allSatisfy { $0.count == 2 } && parts[0][0] == "system" && parts[1][0] == "version"
        return isRight ? nil : broken("appenv", "is not system=…^version=…")
    }
}

/// `trade_information`, `hb_fq_param` and the other parameters that are JSON.
public struct JSONParameterRule: OrderRule {
    public let code = "alipay.json-parameter"
    let name: String

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard order[name] != nil else { return nil }
        return order.json(name)?.members == nil ? broken(name, "is no JSON object") : nil
    }
}

/// `passback_params` is percent-encoded by the merchant before it goes into the JSON (alipay.md#order-content [D]).
public struct PassbackRule: OrderRule {
    public let code = "alipay.passback"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["passback_params"] else { return nil }
        let isEncoded = value.utf8.count <= 512 && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"&=\"".utf8.contains($0) }
        return isEncoded ? nil : broken("passback_params", "is not percent-encoded, or longer than 512")
    }
}

/// `passback_params` of a merchant that does not encode it comes back signed as it is: it may be base64, and holds no `&` that would begin
/// another parameter, and no control character [I].
public struct ObservedPassbackRule: OrderRule {
    public let code = "alipay.passback"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["passback_params"], value.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return broken("passback_params", "holds & or a control character: percent-encode it")
    }
}
