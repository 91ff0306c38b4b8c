/// A network token's state (provisioning.md#token-states [O]).
public enum TokenState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Made, and not to be paid with before the customer is verified.
    case inactive
    case active
    case suspended
    /// Final.
    case deleted
}

/// Who holds a token suspended. Several may at once, and a resume takes away only one's own (provisioning.md#suspenders [I]).
public struct Suspender: RawRepresentable, Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) }
    public var description: String { rawValue }

    public static let issuer = Self(rawValue: "ISSUER")
    public static let tokenRequestor = Self(rawValue: "TOKEN_REQUESTOR")
    public static let mobilePINLocked = Self(rawValue: "MOBILE_PIN_LOCKED")
    public static let cardholder = Self(rawValue: "CARDHOLDER")
}

/// A token's state as the network told it at one point of its count.
public struct TokenSnapshot: Sendable, Hashable, Codable {
    /// Counts the network's changes of this token from 1.
    public var sequence: Int64
    public var state: TokenState
    public var suspendedBy: Set<Suspender>

    public init(sequence: Int64, state: TokenState, suspendedBy: Set<Suspender> = []) {
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
