package import BillfoldStorage

/// A customer's account.
package struct WalletAccount: Sendable {
    package enum State: String, Sendable {
        case active
        /// May neither log in nor pay; refunds still arrive.
        case frozen
    }

    /// The two passwords of an account.
    enum PasswordKind: String, Sendable {
        /// Opens a session.
        case login
        /// Six digits that each payment takes.
        case payment
    }

    /// One password as it is stored, with the wrong tries since it was last right.
    struct Password: Sendable, Hashable {
        var hash: String
        var failures: Int64
        var lockedUntil: Timestamp?

        func isLocked(at now: Timestamp) -> Bool { lockedUntil.map { now < $0 } ?? false }
    }

    package let id: TimeOrderedID
    /// Sixteen digits that begin with 2088: what counterparties know the customer by.
    package let number: String
    package var name: String
    package var state: State
    /// The e-mail address or telephone number that counterparties are shown, masked.
    package var maskedLogin: String
    var login: Password
    var payment: Password
    package let createdAt: Timestamp

    static func isNumber(_ text: String) -> Bool {
        text.utf8.count == 16 && text.hasPrefix("2088") && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func isPaymentPassword(_ text: String) -> Bool {
        text.utf8.count == 6 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
