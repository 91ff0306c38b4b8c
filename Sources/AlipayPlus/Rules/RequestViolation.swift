public import BillfoldJSON

/// How a request breaks a rule of the documents.
public struct RequestViolation: Sendable, Hashable, CustomStringConvertible {
    /// The documented code with which it is refused.
    public var resultCode: String
    /// Where, in the members' own names: `order.env.terminalType`.
    public var member: String
    /// Says what is wrong; never repeats the value.
    public var reason: String

    public init(_ member: String, _ reason: String, as result: AlipayPlusResult = .paramIllegal) {
        resultCode = result.resultCode
        self.member = member
        self.reason = reason
    }

    static func missing(_ member: String) -> Self { Self(member, "is missing") }

    /// Names what the member lies in.
    mutating func stands(in outer: String) { member = member.isEmpty ? outer : "\(outer).\(member)" }

    public var description: String { "\(member) \(reason)" }

    public var result: AlipayPlusResult {
        (AlipayPlusResult(documented: resultCode) ?? .paramIllegal).saying(description)
    }
}

extension AlipayPlusRequest {
    /// Everything that the request breaks, members first. The first says how it is refused.
    public var violations: [RequestViolation] { MemberRules.violations(in: json) + ownViolations }

    /// Reads a request, and what it breaks as ``violations`` has it: its members are looked at while they are read.
    /// `missing-field`, `malformed-field`.
    public static func read(_ json: JSONObject) throws(AlipayPlusError) -> (request: Self, violations: [RequestViolation]) {
        let checks = MemberChecks()
        let request = try Self(json: json, checks: checks)
        return (request, checks.found + request.ownViolations)
    }
}
