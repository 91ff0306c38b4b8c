public import AlipayPlusValues
public import BillfoldJSON

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
