import BillfoldTrace
import Synchronization
import Testing

@Suite struct TraceTransportTests {
    private func entry(_ id: String) -> TraceEntry {
        TraceEntry(id: id, at: 1, from: "phone", to: "merchant", kind: .note, title: "t", correlation: ["order": id], bytes: "AA==")
    }

    @Test func aFullBufferDropsAndCounts() {
        let buffer = TraceBuffer(capacity: 16, stripes: 4)
        for number in 0..<20 { buffer.record(entry("\(number)")) }
        #expect(buffer.drain().map(\.id) == (0..<16).map(String.init))
        #expect(buffer.dropped == 4)
        #expect(buffer.drain().isEmpty)
    }

    @Test func manyReportersLoseNothingThatIsNotCounted() async {
        let buffer = TraceBuffer(capacity: 100_000, stripes: 8)
        await withTaskGroup(of: Void.self) { group in
            for reporter in 0..<8 {
                group.addTask { for number in 0..<500 { buffer.record(entry("\(reporter)-\(number)")) } }
            }
        }
        let held = Set(buffer.drain().map(\.id))
        #expect(UInt64(held.count) + buffer.dropped == 4_000)
    }

    @Test func theForwarderSendsInBatchesAndInOrder() async {
        let buffer = TraceBuffer()
        for number in 0..<250 { buffer.record(entry("\(number)")) }
        let sent = Mutex<[[String]]>([])
        let forwarder = TraceForwarder(buffer: buffer, batchSize: 100, pause: { _ in }) { batch in
            sent.withLock { $0.append(batch.map(\.id)) }
        }
        await forwarder.flush()
        #expect(sent.withLock { $0.map(\.count) } == [100, 100, 50])
        #expect(sent.withLock { $0.flatMap { $0 } } == (0..<250).map(String.init))
    }

    @Test func aBatchIsTriedAgainWithAGrowingPause() async {
        struct Refused: Error {}
        let buffer = TraceBuffer()
        buffer.record(entry("1"))
        let attempts = Mutex(0)
        let pauses = Mutex<[Duration]>([])
        let forwarder = TraceForwarder(
            buffer: buffer, attempts: 4, firstPause: .seconds(1), pause: { duration in pauses.withLock { $0.append(duration) } }
        ) { _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt < 3 { throw Refused() }
        }
        await forwarder.flush()
        #expect(attempts.withLock { $0 } == 3)
        #expect(pauses.withLock { $0 } == [.seconds(1), .seconds(2)])
        #expect(forwarder.abandoned == 0)
    }

    @Test func aBatchThatNobodyTakesIsGivenUpAndCounted() async {
        struct Refused: Error {}
        let buffer = TraceBuffer()
        for number in 0..<3 { buffer.record(entry("\(number)")) }
        let forwarder = TraceForwarder(buffer: buffer, attempts: 2, pause: { _ in }) { _ in throw Refused() }
        await forwarder.flush()
        #expect(forwarder.abandoned == 3)
    }

    @Test func oneEntryThatNobodyTakesTakesNoOtherWithIt() async {
        let buffer = TraceBuffer()
        for number in 0..<50 { buffer.record(entry("\(number)")) }
        let taken = Mutex<[String]>([])
        let forwarder = TraceForwarder(buffer: buffer, attempts: 2, pause: { _ in }) { batch in
            guard !batch.contains(where: { $0.id == "17" }) else { throw TraceError(code: .batchRefused, reason: "413") }
            taken.withLock { $0 += batch.map(\.id) }
        }
        await forwarder.flush()
        #expect(taken.withLock { $0 } == (0..<50).filter { $0 != 17 }.map(String.init))
        #expect(forwarder.abandoned == 1)
    }

    @Test func whatIsTooLongIsCutBeforeItIsHeld() throws {
        let buffer = TraceBuffer()
        var long = entry("long")
        long.title = String(repeating: "é", count: 10_000)
        long.fields = (0..<1_000).map { .init("name\($0)", String(repeating: "x", count: 9_000)) }
        long.bytes = String(repeating: "QUJD", count: 100_000)
        long.correlation["order"] = String(repeating: "1", count: 5_000)
        buffer.record(long)
        let held = try #require(buffer.drain().first)
        #expect(held.bytes == nil && held.correlation["order"] == nil)
        #expect(held.title.utf8.count < 4_200 && held.title.hasSuffix("(20000 bytes)"))
        #expect(held.fields.count < 200 && held.fields.last?.name == "…")
        let encoded = try TraceCodec().encode([held])
        #expect(encoded.count < 300_000)
        #expect(try TraceCodec().decode(encoded) == [held])
        // Cutting what is cut changes nothing: every process on the way may do it.
        #expect(TraceLimits().bounded(held) == held)
    }

    @Test func theCodecReadsWhatItWrites() throws {
        let codec = TraceCodec()
        #expect(try codec.decode(codec.encode([entry("1"), entry("2")])) == [entry("1"), entry("2")])
    }

    @Test(arguments: [
        ("", TraceError.Code.malformedBatch), ("{}", .malformedBatch), ("[{}]", .malformedBatch), ("[1]", .malformedBatch),
        (#"[{"id":"","at":1,"from":"a","to":"b","kind":"note","title":"t","correlation":{},"fields":[]}]"#, .malformedBatch),
        (#"[{"id":"1","at":1,"from":"a","to":"b","kind":"shout","title":"t","correlation":{},"fields":[]}]"#, .malformedBatch),
        (#"[{"id":"1","id":"2","at":1,"from":"a","to":"b","kind":"note","title":"t","correlation":{},"fields":[]}]"#, .malformedBatch),
        (#"[{"id":"1","at":1,"from":"a","to":"b","kind":"note","title":"t","correlation":{},"fields":[],"tea":1}]"#, .malformedBatch),
    ])
    func theCodecRefusesOtherBytes(text: String, code: TraceError.Code) {
        let error = #expect(throws: TraceError.self) { try TraceCodec().decode(text.utf8) }
        #expect(error?.code == code)
    }

    @Test func theCodecRefusesMoreThanItsLimits() throws {
        let many = try TraceCodec().encode((0..<4).map { entry("\($0)") })
        #expect(throws: TraceError.self) { try TraceCodec(maximumEntries: 3).decode(many) }
        var long = entry("1")
        long.problem = String(repeating: "x", count: 100)
        let bytes = try TraceCodec().encode([long])
        #expect(throws: TraceError.self) { try TraceCodec(maximumTextBytes: 99).decode(bytes) }
    }
}
