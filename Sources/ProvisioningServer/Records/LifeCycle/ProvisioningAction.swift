/// What an issuer does with a token (provisioning.md#token-events).
package enum ProvisioningAction: String, Sendable, Hashable, Codable, CaseIterable {
    case activate, suspend, resume, delete
}

/// Why, in the networks' letters (provisioning.md#token-events [O]).
package enum ProvisioningActionReason: String, Sendable, Hashable, Codable, CaseIterable {
    case closed = "C"
    case lost = "L"
    case stolen = "S"
    case fraud = "F"
    /// No fraud after all.
    case cleared = "T"
    case other = "Z"
}
