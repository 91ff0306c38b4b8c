/// Bounds how many tests do something at once.
public actor Permits {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(_ count: Int) { free = count }

    /// Does something once fewer than the count are at it.
    public nonisolated func during<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        await take()
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await give()
        return try outcome.get()
    }

    private func take() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
