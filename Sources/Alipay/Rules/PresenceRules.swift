/// A parameter that every order has.
public struct RequiredParameterRule: OrderRule {
    public let code = "alipay.required-parameter"
    let name: String

    public func violation(in order: OrderValues) -> RuleViolation? {
        order[name] == nil ? broken(name, "is missing", isMissing: true) : nil
    }
}

/// A parameter with one value, or a few.
public struct ConstantParameterRule: OrderRule {
    public let code = "alipay.constant-parameter"
    let name: String
    let allowed: [String]

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name], !allowed.contains(value) else { return nil }
        return broken(name, "is not \(allowed.joined(separator: " or "))")
    }
}

/// The most characters of a parameter.
public struct LengthRule: OrderRule {
    public let code = "alipay.parameter-length"
    let name: String
    let maximum: Int

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order[name], value.unicodeScalars.count > maximum else { return nil }
        return broken(name, "has \(value.unicodeScalars.count) characters, and may have \(maximum)")
    }
}
