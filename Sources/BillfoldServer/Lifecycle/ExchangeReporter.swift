package import BillfoldPayments
package import BillfoldStorage
package import BillfoldTrace
package import HTTPTypes

/// A server's reports of what it says and hears, decoded and masked. An exchange is reported by one of its two parties, and the other leaves
/// it to that one.
package protocol ExchangeReporter: Sendable {
    var sink: any TraceSink { get }
    var clock: any WallClock { get }
    var identifiers: IdentifierSource { get }
    var mode: ServerMode { get }

    /// The party that the server is.
    static var own: Party { get }
    /// Names of fields whose values are not shown.
    static var masked: Set<String> { get }
}

extension ExchangeReporter {
    package static var masked: Set<String> { [] }

    /// Reports a message, and returns the entry's id.
    ///
    /// - Parameter bytes: The message itself, in Base64.
    @discardableResult
    package func record(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: [TraceEntry.Field] = [], about: [String: String],
        bytes: String? = nil, problem: String? = nil
    ) -> String {
        // A story is in one order, whatever times its parties live at.
        let now = clock.everybodysNow
        let id = identifiers.next(at: now).description
        let shown = fields.map { Self.masked.contains($0.name) ? TraceEntry.Field($0.name, "‹not shown›", meaning: $0.meaning) : $0 }
        sink.record(
            TraceEntry(
                id: id, at: now.microseconds, from: from, to: to, kind: kind, title: title, correlation: about, fields: shown, bytes: bytes,
                problem: problem))
        return id
    }

    /// As the other, of fields that explain themselves.
    @discardableResult
    package func record(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: [(String, String)], about: [String: String],
        problem: String? = nil
    ) -> String {
        record(title, kind, from: from, to: to, fields: fields.map { TraceEntry.Field($0.0, $0.1) }, about: about, problem: problem)
    }

    /// Reports a step of our own.
    package func note(_ title: String, fields: [TraceEntry.Field] = [], about: [String: String], problem: String? = nil) {
        record(title, .note, from: Self.own, to: Self.own, fields: fields, about: about, problem: problem)
    }

    package func note(_ title: String, fields: [(String, String)], about: [String: String], problem: String? = nil) {
        record(title, .note, from: Self.own, to: Self.own, fields: fields, about: about, problem: problem)
    }

    /// Whether the caller reports this exchange itself. Believed in test mode only.
    package func isReportedByCaller(_ headers: HTTPFields) -> Bool {
        guard mode == .test, let name = HTTPField.Name.exchange else { return false }
        return Exchange.isName(headers[name])
    }

    /// Tells the other party that we report the exchange; in production nobody gets a header of ours.
    package func naming(_ exchange: String) -> HTTPFields {
        guard mode == .test, let name = HTTPField.Name.exchange else { return [:] }
        return [name: exchange]
    }
}

extension HTTPField.Name {
    fileprivate static let exchange = HTTPField.Name(Exchange.headerName)
}
