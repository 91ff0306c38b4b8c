import BillfoldPayments
package import BillfoldStorage
import PaymentCrypto

/// An action that moves money or trust and waits for a second person.
package struct ApprovalRequest: Sendable, Hashable, Identifiable {
    /// Sixteen bytes, written as 32 lower-case hexadecimal digits. It is the action's idempotency key.
    package struct ID: Sendable, Hashable, CustomStringConvertible {
        package let bytes: [UInt8]

        init(bytes: [UInt8]) { self.bytes = bytes }

        package init?(_ text: String) {
            guard let bytes = try? Hexadecimal.decode(text), bytes.count == 16, Hexadecimal.encode(bytes) == text else { return nil }
            self.bytes = bytes
        }

        package var description: String { Hexadecimal.encode(bytes) }
    }

    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case waiting
        /// A second person agreed; the action has not been seen to end. It is run again after a restart.
        case approved
        case rejected
        case expired
        case done
        /// The action was run and refused; nothing moved.
        case failed
    }

    package let id: ID
    /// Which action, for example `refund`.
    package let kind: String
    /// What it is done to, for example a payment's id.
    package let subject: String
    /// JSON for the action, in the one form that its reader writes. Holds no secret: approvers read it.
    package let detail: String
    /// What the detail means, for people. Empty for a request that an earlier version of this program stored.
    package let lines: [ApprovalAction.Line]
    package let requestedBy: String
    package let requestedAt: Timestamp
    package let expiresAt: Timestamp
    package let state: State
    package let decidedBy: String?
    package let decidedAt: Timestamp?
    /// What the action answered.
    package let outcome: String?

    /// A hash of what is to be done and of what its approver reads, as the trail keeps it.
    var seal: String {
        let texts = [detail, String(expiresAt.microseconds)] + lines.flatMap { [$0.label, $0.value] }
        return Hexadecimal.encode(RequestFingerprint(texts: texts).bytes)
    }

    /// Who asked and who decided, as audit rows name them.
    package var people: String { [requestedBy, decidedBy].compactMap(\.self).joined(separator: ", ") }
}
