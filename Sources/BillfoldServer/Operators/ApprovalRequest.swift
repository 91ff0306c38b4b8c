import BillfoldPayments
public import BillfoldStorage
import PaymentCrypto

/// An action that moves money or trust and waits for a second person.
public struct ApprovalRequest: Sendable, Hashable, Identifiable {
    /// Sixteen bytes, written as 32 lower-case hexadecimal digits. It is the action's idempotency key.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        public let bytes: [UInt8]

        init(bytes: [UInt8]) { self.bytes = bytes }

        public init?(_ text: String) {
            guard let bytes = try? Hexadecimal.decode(text), bytes.count == 16, Hexadecimal.encode(bytes) == text else { return nil }
            self.bytes = bytes
        }

        public var description: String { Hexadecimal.encode(bytes) }
    }

    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case waiting
        /// A second person agreed; the action has not been seen to end. It is run again after a restart.
        case approved
        case rejected
        case expired
        case done
        /// The action was run and refused; nothing moved.
        case failed
    }

    public let id: ID
    /// Which action, for example `refund`.
    public let kind: String
    /// What it is done to, for example a payment's id.
    public let subject: String
    /// JSON for the action, in the one form that its reader writes. Holds no secret: approvers read it.
    public let detail: String
    /// What the detail means, for people. Empty for a request that an earlier version of this program stored.
    public let lines: [ApprovalAction.Line]
    public let requestedBy: String
    public let requestedAt: Timestamp
    public let expiresAt: Timestamp
    public let state: State
    public let decidedBy: String?
    public let decidedAt: Timestamp?
    /// What the action answered.
    public let outcome: String?

    /// A hash of what is to be done and of what its approver reads, as the trail keeps it.
    var seal: String {
        let texts = [detail, String(expiresAt.microseconds)] + lines.flatMap { [$0.label, $0.value] }
        return Hexadecimal.encode(RequestFingerprint(texts: texts).bytes)
    }

    /// Who asked and who decided, as audit rows name them.
    public var people: String { [requestedBy, decidedBy].compactMap(\.self).joined(separator: ", ") }
}
