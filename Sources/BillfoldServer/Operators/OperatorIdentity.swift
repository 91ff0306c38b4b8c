import HTTPTypes

/// A person at the console, as the routes see them.
public struct OperatorIdentity: Sendable, Hashable {
    public var name: String
    public var roles: Set<OperatorRole>
    /// Whether the person signed in. On loopback not everybody does: whoever can connect owns the machine's account.
    public var isSignedIn: Bool

    public init(name: String, roles: Set<OperatorRole>, isSignedIn: Bool) {
        self.name = name
        self.roles = roles
        self.isSignedIn = isSignedIn
    }

    /// Whoever uses a console in test mode that listens on loopback.
    public static let local = Self(name: "local", roles: Set(OperatorRole.allCases), isSignedIn: false)

    /// Whoever may look without signing in.
    public static let onlooker = Self(name: "local", roles: [.viewer], isSignedIn: false)

    /// Refuses with 403 `role-required` when the role is missing, and with 401 `sign-in-required` whoever could have it after
    /// signing in.
    public func require(_ role: OperatorRole) throws(ServerError) {
        guard roles.contains(role) else {
            guard isSignedIn else { throw .signInFirst }
            throw ServerError(code: .roleRequired, reason: "this takes the role '\(role.rawValue)'", status: .forbidden)
        }
    }
}
