import Testing

@testable import BillfoldConcurrency

struct FirstToEndTests {
    private struct Fault: Error {}

    /// Work that never ends, unless it is cancelled.
    private static func forEver() async throws -> Int {
        try await Task.sleep(for: .seconds(3_600))
        return 0
    }

    @Test func whoeverEndsFirstDecidesAndTheOtherIsCancelled() async throws {
        #expect(try await firstToEnd({ 1 }, or: Self.forEver) == 1)
        #expect(try await firstToEnd(Self.forEver, or: { 2 }) == 2)
        await #expect(throws: Fault.self) { try await firstToEnd({ throw Fault() }, or: Self.forEver) }
    }

    @Test func workHasItsTimeAndNoMore() async throws {
        #expect(try await within(.seconds(3_600)) { 1 } == 1)
        #expect(try await within(.milliseconds(1), Self.forEver) == nil)
        await #expect(throws: Fault.self) { try await within(.seconds(3_600)) { () -> Int in throw Fault() } }
        let nothing: Int? = try await within(.seconds(3_600)) { () -> Int? in nil }
        #expect(nothing == nil)
    }

    @Test func whoeverIsCancelledEndsBoth() async {
        let task = Task { try await within(.seconds(3_600), Self.forEver) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
