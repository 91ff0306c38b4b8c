/// What can happen to a token, as a pure step: its new state, and the event that tells the issuer (provisioning.md#token-events).
enum NetworkTokenChange: Sendable {
    case create(active: Bool)
    case activate
    case suspend(by: NetworkToken.Suspender)
    case resume(by: NetworkToken.Suspender)
    case delete
    case accountUpdate

    /// Name and Visa code of the event.
    var event: (kind: String, code: String) {
        switch self {
        case .create: ("created", "3700")
        case .activate: ("activated", "3713")
        case .suspend: ("suspended", "3702")
        case .resume: ("resumed", "3703")
        case .delete: ("deleted", "3701")
        case .accountUpdate: ("accountUpdated", "3721")
        }
    }

    /// The token afterwards; nil where it is so already. Refuses with `token-state` what the state does not allow: nothing happens to
    /// a deleted token, and nothing but its deletion to an inactive one that is to be suspended.
    func apply(to token: NetworkToken) throws(SandboxRefusal) -> NetworkToken? {
        var next = token
        switch self {
        case .create(let active): next.state = active ? .active : .inactive
        case .delete:
            guard token.state != .deleted else { return nil }
            next.state = .deleted
            next.suspendedBy = []
        case _ where token.state == .deleted: throw refused("the token is deleted")
        case .activate:
            guard token.state == .inactive else { return nil }
            next.state = .active
        case .suspend(let suspender):
            guard token.state != .inactive else { throw refused("the token is not active yet") }
            guard !token.suspendedBy.contains(suspender) else { return nil }
            next.suspendedBy = (token.suspendedBy + [suspender]).sorted()
            next.state = .suspended
        case .resume(let suspender):
            guard token.suspendedBy.contains(suspender) else { return nil }
            // Each lifts its own suspension only.
            next.suspendedBy.removeAll { $0 == suspender }
            next.state = next.suspendedBy.isEmpty ? .active : .suspended
        case .accountUpdate: break
        }
        next.sequence += 1
        return next
    }

    private func refused(_ reason: String) -> SandboxRefusal { SandboxRefusal(code: "token-state", reason: reason, status: 409) }
}
