import AlipayPlusValues

/// Whether a call worked, or what became of a payment: the two are told in the same form (alipay-plus.md#results [D]).
public struct AlipayPlusResult: WireMessage, CustomStringConvertible {
    /// What a caller may now say and do.
    public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        /// Done, for this API: of an inquiry the payment's own result is read next.
        case success = "S"
        /// Refused and final: mend it and use a new request id; never repeat it blindly.
        case failure = "F"
        /// Unknown or in process: repeat the identical request, or inquire. Never shown as failed.
        case unknown = "U"

        public init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let status = Self(rawValue: text) else {
                throw AlipayPlusError(code: .malformedField, reason: "resultStatus is none of S, F, U")
            }
            self = status
        }
    }

    /// At most 64 characters.
    public var resultCode: String
    public var resultStatus: Status
    /// For engineers; at most 256 characters.
    public var resultMessage: String?

    public init(resultCode: String, resultStatus: Status, resultMessage: String? = nil) {
        self.resultCode = resultCode
        self.resultStatus = resultStatus
        self.resultMessage = resultMessage
    }

    public var description: String { "\(resultStatus.rawValue) \(resultCode)" }

    public var isSuccess: Bool { resultStatus == .success }
    public var isFailure: Bool { resultStatus == .failure }

    /// The same result with more to say, as one that names the member that is missing.
    public func saying(_ message: String) -> Self {
        Self(resultCode: resultCode, resultStatus: resultStatus, resultMessage: String(message.prefix(256)))
    }

    /// The documented result with that code; nil for a code that is not in ``documented``.
    public init?(documented code: String) {
        guard let found = Self.documented.first(where: { $0.resultCode == code }) else { return nil }
        self = found
    }
}
