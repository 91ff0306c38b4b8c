import BillfoldStorage
import BillfoldTrace
import Foundation
import UnionPay

/// Reports every message in and out, decoded and masked.
struct GatewayTracer: Sendable {
    let sink: any TraceSink
    let clock: any WallClock
    let random: @Sendable () -> UInt64
    let showsBytes: Bool

    static let merchant: Party = "merchant"
    static let gateway: Party = "unionpay"

    func request(_ fields: UnionPayFields, body: [UInt8], problem: String?) {
        record(from: Self.merchant, to: Self.gateway, .request, title(fields), fields, body, problem)
    }

    func reply(_ fields: UnionPayFields, to request: UnionPayFields, body: [UInt8], problem: String?) {
        record(from: Self.gateway, to: Self.merchant, .response, title(request) + " reply", fields, body, problem)
    }

    /// An answer that never arrives is a note on the gateway's lifeline.
    func lost(_ request: UnionPayFields, _ problem: String) {
        record(from: Self.gateway, to: Self.gateway, .note, title(request) + " lost", request, nil, problem)
    }

    func notification(_ fields: UnionPayFields, body: String, problem: String?) -> String {
        record(from: Self.gateway, to: Self.merchant, .notification, title(fields) + " notification", fields, Array(body.utf8), problem)
    }

    func acknowledgement(_ exchange: String, _ fields: UnionPayFields, status: Int?, problem: String?) {
        var entry = entry(from: Self.merchant, to: Self.gateway, .response, "acknowledgement", fields, problem)
        entry.fields = status.map { [.init("status", String($0), meaning: "HTTP status; 200 and 302 end the repetition.")] } ?? []
        sink.record(entry)
    }

    @discardableResult
    private func record(
        from: Party, to: Party, _ kind: TraceEntry.Kind, _ title: String, _ fields: UnionPayFields, _ body: [UInt8]?, _ problem: String?
    ) -> String {
        var entry = entry(from: from, to: to, kind, title, fields, problem)
        entry.fields = FieldGuide.decode(fields).map { .init($0.name, $0.value, meaning: $0.meaning) }
        if showsBytes, let body { entry.bytes = Data(body).base64EncodedString() }
        sink.record(entry)
        return entry.id
    }

    private func entry(
        from: Party, to: Party, _ kind: TraceEntry.Kind, _ title: String, _ fields: UnionPayFields, _ problem: String?
    ) -> TraceEntry {
        var generator = InjectedGenerator(draw: random)
        let now = clock.now()
        var correlation: [String: String] = [:]
        if let order = fields.optional("orderId") { correlation["unionpay.order"] = order }
        if let query = fields.optional("queryId") { correlation["unionpay.query"] = query }
        if let original = fields.optional("origQryId") { correlation["unionpay.query"] = original }
        return TraceEntry(
            id: "unionpay-\(TimeOrderedID(at: now, using: &generator))", at: now.microseconds, from: from, to: to, kind: kind, title: title,
            correlation: correlation, problem: problem)
    }

    private func title(_ fields: UnionPayFields) -> String {
        fields["txnType"].flatMap(TransactionType.init(rawValue:))?.title ?? "message"
    }
}
