import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import UnionPay

/// Reports what this server says and hears, decoded and masked.
struct MessageTrace: ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let merchant: Party = "merchant"
    static let own = merchant
    static let unionPay: Party = "unionpay"

    /// A message between us and the acquirer; returns the entry's id. Bytes are shown in test mode only, and never those that hold card data.
    @discardableResult
    func message(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: UnionPayFields?, about: [String: String],
        problem: String? = nil
    ) -> String {
        var correlation = about
        if let order = fields?["orderId"] { correlation["unionpay.order"] = order }
        if let query = fields?["queryId"] { correlation["unionpay.query"] = query }
        let decoded = fields.map { FieldGuide.decode($0) } ?? []
        // Bytes would show what a mask hides, and a field that nobody knows is masked.
        let isOpen = mode == .test && decoded.allSatisfy { fields?[$0.name] == $0.value }
        let bytes = isOpen ? fields.flatMap { try? FormBody.encode($0) } : nil
        return record(
            title, kind, from: from, to: to, fields: decoded.map { TraceEntry.Field($0.name, $0.value, meaning: $0.meaning) },
            about: correlation, bytes: bytes.map { Data($0.utf8).base64EncodedString() }, problem: problem)
    }

    /// A message that says it is the acquirer's and is not believed. In production anybody may have sent it: its values are not
    /// shown, and tie it to nobody's story.
    func unbelieved(_ title: String, _ kind: TraceEntry.Kind, fields: UnionPayFields?, problem: String) {
        guard mode == .production else {
            message(title, kind, from: Self.unionPay, to: Self.merchant, fields: fields, about: [:], problem: problem)
            return
        }
        let names = fields.map { FieldGuide.decode($0).map(\.name) } ?? []
        record(
            title, kind, from: Self.unionPay, to: Self.merchant, fields: names.map { TraceEntry.Field($0, "‹not shown›") }, about: [:],
            problem: problem)
    }
}
