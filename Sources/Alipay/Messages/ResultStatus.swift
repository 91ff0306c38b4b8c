/// The `resultStatus` of a payment as the phone gets it.
///
/// Source: alipay.md#result-status [D]. It is only the wallet's word: a server believes its own verification and query.
public struct AlipayResultStatus: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let paid = Self(rawValue: "9000")
    public static let processing = Self(rawValue: "8000")
    public static let failed = Self(rawValue: "4000")
    public static let repeatedRequest = Self(rawValue: "5000")
    public static let cancelled = Self(rawValue: "6001")
    public static let networkError = Self(rawValue: "6002")
    public static let unknown = Self(rawValue: "6004")

    /// What the app must do.
    public enum Action: Sendable, Hashable {
        /// Let the server verify, then show success.
        case verify
        /// Ask the server: the payment may exist. Never "failed".
        case query
        /// Allow another try, after a query.
        case retry
        /// Back to the order, which stays open.
        case backToOrder
    }

    /// The legacy wallet's own codes of failure.
    public static let legacyFailures: Set<String> = ["4001", "4003", "4004", "4005", "4006", "4010", "6000", "7001"]

    public var action: Action {
        switch self {
        case .paid: .verify
        case .cancelled: .backToOrder
        case .failed: .retry
        default: Self.legacyFailures.contains(rawValue) ? .retry : .query
        }
    }

    public var description: String { rawValue }
}
