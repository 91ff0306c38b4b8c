/// A recommendation or an answer in Mastercard's words, with Visa's action codes (provisioning.md#outcomes [D] [O]).
public enum ProvisioningOutcome: String, Sendable, Hashable, CaseIterable {
    case approved = "APPROVED"
    case requireAdditionalAuthentication = "REQUIRE_ADDITIONAL_AUTHENTICATION"
    case declined = "DECLINED"

    /// Values [O]; meaning of 85 [O], of 05 [I].
    public var visaActionCode: String {
        switch self {
        case .approved: "00"
        case .requireAdditionalAuthentication: "85"
        case .declined: "05"
        }
    }

    public init?(visaActionCode: String) {
        guard let outcome = Self.allCases.first(where: { $0.visaActionCode == visaActionCode }) else { return nil }
        self = outcome
    }
}
