import BillfoldServer
import HTTPTypes

/// Why an action on a token is not asked of the network.
package enum ActionObstacle: String, Sendable, Hashable {
    case tokenDeleted = "token-deleted"
    /// The customer was not verified yet: there is nothing to suspend or to resume. It can be deleted.
    case notActive = "not-active"
    /// The token is already so; nothing is left to do.
    case alreadyDone = "already-done"
    /// A token becomes active by its customer's verification, or by a review that two persons end. No operator does it alone.
    case needsVerification = "needs-verification"
    /// The fraud team still looks at the token: nothing makes it payable before two persons have said so.
    case reviewWaiting = "review-waiting"

    /// As operators are told it.
    var refusal: ServerError { ServerError(code: .conflict, reason: reason, status: .conflict) }

    /// As the bank's own systems are told it: each cause has a code of its own.
    var cause: ProvisioningError {
        let code: ProvisioningError.Code =
            switch self {
            case .tokenDeleted: .tokenDeleted
            case .notActive: .tokenNotActive
            case .alreadyDone: .alreadyDone
            case .needsVerification: .needsVerification
            case .reviewWaiting: .reviewWaiting
            }
        return ProvisioningError(code: code, reason: reason)
    }

    private var reason: String {
        switch self {
        case .tokenDeleted: "the token is deleted, or is being deleted"
        case .notActive: "the token is not active yet; its customer's proof makes it active, and until then it can only be deleted"
        case .alreadyDone: "there is nothing left to do"
        case .needsVerification: "a token is activated by its customer's verification, or by a review of two persons"
        case .reviewWaiting: "a review of the token waits; its end resumes or deletes it"
        }
    }
}

extension ProvisioningAction {
    /// `nil` where a token in that state can be acted upon so.
    ///
    /// Resuming takes away the bank's own suspension alone, so it takes one (provisioning.md#suspenders [I]).
    func obstacle(in snapshot: TokenSnapshot) -> ActionObstacle? {
        let isSuspendedByUs = snapshot.suspendedBy.contains(.issuer)
        let isNeedless =
            switch self {
            case .activate: snapshot.state != .inactive
            case .suspend: isSuspendedByUs
            case .resume: !isSuspendedByUs
            case .delete: false
            }
        if snapshot.state == .deleted { return .tokenDeleted }
        // What was never on is neither off nor on again.
        if snapshot.state == .inactive, self == .suspend || self == .resume { return .notActive }
        return isNeedless ? .alreadyDone : nil
    }
}
