import HTTPTypes

/// A person at the console, as the routes see them.
package struct OperatorIdentity: Sendable, Hashable {
    package var name: String
    package var roles: Set<OperatorRole>
    /// Whether the person signed in. On loopback not everybody does: whoever can connect owns the machine's account.
    package var isSignedIn: Bool

    package init(name: String, roles: Set<OperatorRole>, isSignedIn: Bool) {
        self.name = name
        self.roles = roles
        self.isSignedIn = isSignedIn
    }

    /// Whoever uses a console in test mode that listens on loopback.
    package static let local = Self(name: "local", roles: Set(OperatorRole.allCases), isSignedIn: false)

    /// Whoever may look without signing in.
    package static let onlooker = Self(name: "local", roles: [.viewer], isSignedIn: false)

    /// Refuses with 403 `role-required` when the role is missing, and with 401 `sign-in-required` whoever could have it after
    /// signing in.
    package func require(_ role: OperatorRole) throws(ServerError) {
        guard roles.contains(role) else {
            guard isSignedIn else { throw .signInFirst }
            throw ServerError(code: .roleRequired, reason: "this takes the role '\(role.rawValue)'", status: .forbidden)
        }
    }
}
