import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the wallet says and hears, decoded and masked: never a password, a session's token or a key.
struct WalletTrace: Sendable, ExchangeReporter {
    static let app: Party = "app"
    static let wallet: Party = "wallet"
    static let gateway: Party = "gateway"

    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    /// Returns the entry's id.
    @discardableResult
    func record(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: [TraceEntry.Field] = [], about: [String: String],
        problem: String? = nil
    ) -> String {
        let now = clock.now()
        let id = identifiers.next(at: now).description
        sink.record(
            TraceEntry(
                id: id, at: now.microseconds, from: from, to: to, kind: kind, title: title, correlation: about, fields: fields,
                problem: problem))
        return id
    }

    /// A step of our own.
    func note(_ title: String, fields: [TraceEntry.Field] = [], about: [String: String], problem: String? = nil) {
        record(title, .note, from: Self.wallet, to: Self.wallet, fields: fields, about: about, problem: problem)
    }
}
