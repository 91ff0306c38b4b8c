package import BillfoldStorage
import Crypto

/// One operator's stay at the console. The cookie's token itself is never stored, only its hash.
package struct OperatorSession: Sendable, Hashable {
    /// `__Host-` makes browsers refuse the cookie without `Secure`, with a `Domain`, or from any path but `/`.
    package static let cookieName = "__Host-billfold"

    let tokenHash: [UInt8]
    package let name: String
    package let roles: Set<OperatorRole>
    /// What pages send back in `X-CSRF-Token` or the form field `csrf` with everything that changes something.
    package let csrfToken: String
    package let createdAt: Timestamp
    package let expiresAt: Timestamp

    var identity: OperatorIdentity { OperatorIdentity(name: name, roles: roles, isSignedIn: true) }

    static func hash(of token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    static func cookie(token: String) -> String { "\(cookieName)=\(token); Path=/; Secure; HttpOnly; SameSite=Strict" }

    static var removalCookie: String { "\(cookieName)=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0" }
}
