/// A network token's state (provisioning.md#token-states [O]).
package enum TokenState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Made, and not to be paid with before the customer is verified.
    case inactive
    case active
    case suspended
    /// Final.
    case deleted
}

/// Who holds a token suspended. Several may at once, and a resume takes away only one's own (provisioning.md#suspenders [I]).
package struct Suspender: RawRepresentable, Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) }
    package var description: String { rawValue }

    package static let issuer = Self(rawValue: "ISSUER")
    package static let tokenRequestor = Self(rawValue: "TOKEN_REQUESTOR")
    package static let mobilePINLocked = Self(rawValue: "MOBILE_PIN_LOCKED")
    package static let cardholder = Self(rawValue: "CARDHOLDER")
}

/// A token's state as the network told it at one point of its count.
package struct TokenSnapshot: Sendable, Hashable, Codable {
    /// Counts the network's changes of this token from 1.
    package var sequence: Int64
    package var state: TokenState
    package var suspendedBy: Set<Suspender>

    package init(sequence: Int64, state: TokenState, suspendedBy: Set<Suspender> = []) {
        self.sequence = sequence
        self.state = state
        self.suspendedBy = suspendedBy
    }

    /// Orders what the network told, so that the greatest of any number of snapshots is the same in whatever order they came.
    ///
    /// A later one is greater. Deletion is final and greater than everything, even than a later one that contradicts it. Two that
    /// say different things of one point are a fault of the network's; the one that lets less pay is greater.
    func isAfter(_ other: Self) -> Bool {
        let isFinal = (state == .deleted, other.state == .deleted)
        if isFinal.0 != isFinal.1 { return isFinal.0 }
        if sequence != other.sequence { return sequence > other.sequence }
        if state != other.state { return state.restraint > other.state.restraint }
        return other.suspendedBy.sorted().lexicographicallyPrecedes(suspendedBy.sorted())
    }
}

extension TokenState {
    fileprivate var restraint: Int {
        switch self {
        case .active: 0
        case .inactive: 1
        case .suspended: 2
        case .deleted: 3
        }
    }
}
