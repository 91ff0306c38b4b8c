import BillfoldConcurrency

/// Under what agreed scopes are remembered: the user and the mini program, both (mini-programs.md#consent-rules [D]).
public struct ScopeCacheKey: Sendable, Hashable, CustomStringConvertible {
    public var userID: String
    public var appID: String

    public init(userID: String, appID: String) {
        self.userID = userID
        self.appID = appID
    }

    /// `MPS_scope_<user>_<app>`, for stores that know texts only. Underscores and percent signs inside of an id are escaped: without that
    /// the user `a_b` of `c` and the user `a` of `b_c` would share their scopes.
    public var description: String { "MPS_scope_\(Self.escaped(userID))_\(Self.escaped(appID))" }

    private static func escaped(_ id: String) -> String {
        id.replacing("%", with: "%25").replacing("_", with: "%5F")
    }
}

/// Remembers what users agreed to. Cleared when a user signs out or takes the agreement back (mini-programs.md#consent-rules [I]).
public protocol ScopeCache: Sendable {
    /// Nothing, where nothing was agreed to.
    func scopes(for key: ScopeCacheKey) -> Set<String>
    /// Adds to what is there: agreeing to more takes nothing away.
    func add(_ scopes: Set<String>, for key: ScopeCacheKey)
    /// Forgets what one user agreed to for one mini program.
    func revoke(_ key: ScopeCacheKey)
    /// Forgets everything of a user who signs out.
    func signOut(userID: String)
}

/// Remembers scopes for as long as the process lives.
public final class MemoryScopeCache: ScopeCache {
    private let remembered = Locked<[ScopeCacheKey: Set<String>]>([:])

    public init() {}

    public func scopes(for key: ScopeCacheKey) -> Set<String> { remembered.withLock { $0[key] ?? [] } }

    public func add(_ scopes: Set<String>, for key: ScopeCacheKey) {
        remembered.withLock { $0[key, default: []].formUnion(scopes) }
    }

    public func revoke(_ key: ScopeCacheKey) { remembered.withLock { $0[key] = nil } }

    public func signOut(userID: String) { remembered.withLock { $0 = $0.filter { $0.key.userID != userID } } }
}
