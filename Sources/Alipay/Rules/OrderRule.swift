import BillfoldJSON

/// One rule of the documents, in a type of its own, that an order keeps or breaks.
public protocol OrderRule: Sendable {
    /// A stable code, such as `alipay.partner`.
    var code: String { get }
    /// Nil when the order keeps the rule, and when what it is about is absent.
    func violation(in order: OrderValues) -> RuleViolation?
}

/// How an order breaks a rule.
public struct RuleViolation: Sendable, Hashable, CustomStringConvertible {
    public let code: String
    public let parameter: String
    /// Says what is wrong; never repeats the value.
    public let reason: String
    /// Whether the parameter is absent, or empty.
    public let isMissing: Bool

    package init(code: String, parameter: String, reason: String, isMissing: Bool) {
        self.code = code
        self.parameter = parameter
        self.reason = reason
        self.isMissing = isMissing
    }

    public var description: String { "\(parameter) \(reason)" }
}

extension OrderRule {
    func broken(_ parameter: String, _ reason: String, isMissing: Bool = false) -> RuleViolation {
        RuleViolation(code: code, parameter: parameter, reason: reason, isMissing: isMissing)
    }
}

/// An order's parameters as rules look at them: empty ones count as absent.
public struct OrderValues: Sendable {
    public let names: [String]
    private let values: [String: String]
    private let asSent: [String: String]

    init(_ parameters: LegacyOrderParameters) {
        names = parameters.pairs.map(\.name)
        var values: [String: String] = [:]
        for name in names { values[name] = parameters[name] }
        asSent = values
        // URLs may be percent-encoded inside the quotation marks.
        for (name, url) in [("notify_url", parameters.notifyURL), ("return_url", parameters.returnURL)] { values[name] = url }
        self.values = values
    }

    init(_ parameters: [String: String]) {
        names = parameters.keys.sorted()
        values = parameters
        asSent = values
    }

    init(_ content: JSONValue) {
        let members = content.members ?? []
        names = members.map(\.key)
        // Two keys of different bytes may be one text to Swift: the first counts.
        values = Dictionary(
            members.compactMap { member in member.value.scalar.map { (member.key, $0) } }, uniquingKeysWith: { first, _ in first })
        asSent = values
    }

    public subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The value as it was signed: of a legacy order, a URL still in its percent-encoding.
    func sent(_ name: String) -> String? { asSent[name] }

    /// A parameter that is JSON; nil when it is absent, or no JSON.
    func json(_ name: String) -> JSONValue? { self[name].flatMap { try? AlipayJSON.read($0) } }
}
