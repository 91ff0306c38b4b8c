package import BillfoldTrace

/// What a simulated party needs from its surroundings: where to report, the time, and fresh random names.
package struct PartyReporter: Sendable {
    package var sink: any TraceSink
    /// Microseconds since 1970.
    package var now: @Sendable () -> Int64
    /// A fresh random name, at least 128 bits, in URL-safe letters.
    package var makeName: @Sendable () -> String

    package init(sink: any TraceSink, now: @escaping @Sendable () -> Int64, makeName: @escaping @Sendable () -> String) {
        self.sink = sink
        self.now = now
        self.makeName = makeName
    }

    /// Returns the entry's id, which names the exchange that a request begins.
    @discardableResult
    func report(
        _ kind: TraceEntry.Kind, from: Party, to: Party, _ title: String, correlation: [String: String],
        fields: [TraceEntry.Field] = [], problem: String? = nil
    ) -> String {
        let id = makeName()
        sink.record(
            TraceEntry(
                id: id, at: now(), from: from, to: to, kind: kind, title: title, correlation: correlation, fields: fields,
                problem: problem))
        return id
    }
}

extension Party {
    static let phone: Party = "phone"
    static let wallet: Party = "wallet"
    static let shop: Party = "shop"
    static let merchant: Party = "merchant"
}

/// The namespaces of the business ids that tie entries to a story.
enum Correlation {
    static let order = "order"
    static let transaction = "apple-pay.transaction"
    static let reference = "shop.reference"
}
