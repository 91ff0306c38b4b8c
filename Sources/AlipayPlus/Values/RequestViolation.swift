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
