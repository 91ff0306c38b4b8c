import BillfoldTrace
import Testing

struct BillfoldTraceExample {
    @Test func example() async {
        // Example
        let store = TraceStore()
        let buffer = TraceBuffer()
        let forwarder = TraceForwarder(buffer: buffer) { batch in store.ingest(batch) }

        buffer.record(
            TraceEntry(
                id: "m-1", at: 1_772_000_000_000_000, from: "merchant", to: "unionpay", kind: .request, title: "consume",
                correlation: ["order": "O-1", "unionpay.order": "20260225O1"]))
        buffer.record(
            TraceEntry(
                id: "m-2", at: 1_772_000_000_250_000, from: "unionpay", to: "merchant", kind: .notification, title: "paid",
                correlation: ["unionpay.order": "20260225O1"], fields: [.init("txnAmt", "3300", meaning: "33.00 CNY")]))
        await forwarder.flush()

        // The second entry does not name the order: the id that both carry makes them one story.
        let story = store.story("O-1")
        let titles = story?.entries.map(\.title)  // ["consume", "paid"]
        // End
        #expect(titles == ["consume", "paid"])
        #expect(story?.correlation["unionpay.order"]?.contains("20260225O1") == true)
        #expect(buffer.dropped == 0)
        #expect(forwarder.abandoned == 0)
    }
}
