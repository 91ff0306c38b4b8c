import BillfoldStorage
import BillfoldTrace
import Foundation
import UnionPay

/// Reports every message in and out, decoded and masked, and of an exchange that the merchant reports only what it cannot see.
struct UnionPayGatewayTracer: Sendable {
    let sink: any TraceSink
    let clock: any WallClock
    let random: @Sendable () -> UInt64
    let showsBytes: Bool

    static let merchant: Party = "merchant"
    static let gateway: Party = "unionpay"

    /// - Parameter isReported: Whether the merchant reports the message; then only the refusal is told, as a note.
    func request(_ fields: UnionPayFields, body: [UInt8], problem: String?, isReported: Bool) {
        if !isReported {
            record(from: Self.merchant, to: Self.gateway, .request, title(fields), fields: fields, body: body, problem: problem)
        } else if problem != nil {
            note(title(fields) + " refused", fields, problem: problem)
        }
    }

    func reply(_ fields: UnionPayFields, to request: UnionPayFields, body: [UInt8], isCorrupt: Bool, isReported: Bool) {
        if !isReported {
            record(
                from: Self.gateway, to: Self.merchant, .response, title(request), fields: fields, body: body, problem: nil,
                isCorrupt: isCorrupt)
        } else if isCorrupt {
            note(title(request) + " reply corrupted", fields, isCorrupt: true)
        }
    }

    /// An answer that never arrives is a note on the gateway's lifeline.
    func lost(_ request: UnionPayFields, _ problem: String) {
        note(title(request) + " lost", request, problem: problem)
    }

    /// Returns the entry's id, which names the exchange.
    func notification(_ fields: UnionPayFields, body: String, isCorrupt: Bool) -> String {
        record(
            from: Self.gateway, to: Self.merchant, .notification, title(fields) + " notification", fields: fields, body: Array(body.utf8),
            problem: nil, isCorrupt: isCorrupt)
    }

    func acknowledgement(_ fields: UnionPayFields, status: Int?, problem: String?) {
        var entry = entry(from: Self.merchant, to: Self.gateway, .response, "acknowledgement", fields: fields, problem: problem)
        entry.fields = status.map { [.init("status", String($0), meaning: "HTTP status; 200 and 302 end the repetition.")] } ?? []
        sink.record(entry)
    }

    /// What a customer's client asks about a pushed order, and what it is answered.
    func client(_ title: String, about order: UnionPayPushedOrder, asked: [TraceEntry.Field] = [], shown: [TraceEntry.Field]) {
        let fields: UnionPayFields = ["orderId": order.key.order.description]
        var request = entry(from: .phone, to: Self.gateway, .request, title, fields: fields, problem: nil)
        request.fields = asked
        var response = entry(from: Self.gateway, to: .phone, .response, title, fields: fields, problem: nil)
        response.fields = shown
        for each in [request, response] { sink.record(each) }
    }

    /// A step of the gateway's own.
    private func note(_ title: String, _ fields: UnionPayFields, problem: String? = nil, isCorrupt: Bool = false) {
        var entry = entry(from: Self.gateway, to: Self.gateway, .note, title, fields: fields, problem: problem)
        if isCorrupt { entry.fields = [Self.corruption] }
        sink.record(entry)
    }

    /// The plan's doing is a field and no problem: the problem is what the merchant makes of it.
    private static let corruption = TraceEntry.Field(
        "fault plan", "broken signature", meaning: "The gateway spoiled the signature on purpose; the merchant must refuse it.")

    @discardableResult
    private func record(
        from: Party, to: Party, _ kind: TraceEntry.Kind, _ title: String, fields: UnionPayFields, body: [UInt8]?, problem: String?,
        isCorrupt: Bool = false
    ) -> String {
        var entry = entry(from: from, to: to, kind, title, fields: fields, problem: problem)
        entry.fields = FieldGuide.decode(fields).map { .init($0.name, $0.value, meaning: $0.meaning) }
        if isCorrupt { entry.fields.append(Self.corruption) }
        if showsBytes, let body { entry.bytes = Data(body).base64EncodedString() }
        sink.record(entry)
        return entry.id
    }

    private func entry(
        from: Party, to: Party, _ kind: TraceEntry.Kind, _ title: String, fields: UnionPayFields, problem: String?
    ) -> TraceEntry {
        var generator = InjectedGenerator(draw: random)
        let now = clock.everybodysNow
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
