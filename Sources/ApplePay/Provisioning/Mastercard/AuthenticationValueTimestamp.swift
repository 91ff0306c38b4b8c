public import Foundation

/// `dataValidUntilTimestamp`: an instant and the very text of it, for the text is what is signed.
public struct AuthenticationValueTimestamp: Sendable, Hashable {
    public let text: String
    public let instant: Date

    /// An instant in whole seconds, written in UTC.
    public init(_ instant: Date) {
        self.instant = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        text = self.instant.formatted(.iso8601)
    }

    /// Reads ISO 8601 with a zone and up to three digits of a fraction, which is cut off. Throws `authentication-value-form`.
    public init(_ text: String) throws(ApplePayError) {
        guard let match = text.wholeMatch(of: /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,3})?(Z|[+-]\d\d:?\d\d)/),
            let instant = try? Date("\(match.1)\(match.2.filter { $0 != ":" })", strategy: .iso8601)
        else { throw ApplePayError(code: .authenticationValueForm, reason: "the timestamp is not ISO 8601 with a zone") }
        self.text = text
        self.instant = instant
    }
}
