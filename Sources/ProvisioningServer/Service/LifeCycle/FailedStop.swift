import BillfoldServer

/// A token that the bank wanted suspended or deleted, and that the network has not stopped: it may go on paying.
package struct FailedStop: Sendable, Hashable {
    package var action: StoredAction
    /// `nil` where the network never told of the token.
    package var token: StoredToken?
}

extension StoredAction {
    /// Whether the network refused to stop a token, or never answered.
    var isFailedStop: Bool { (state == .refused || state == .givenUp) && (action == .suspend || action == .delete) }

    /// Whether a failed stop still needs a person: not when the token was stopped since in another way.
    func isOpen(for token: StoredToken?) -> Bool {
        guard let token, let action else { return true }
        return switch action.obstacle(in: token.snapshot) {
        case nil, .notActive, .needsVerification, .reviewWaiting: true
        case .tokenDeleted, .alreadyDone: false
        }
    }
}
