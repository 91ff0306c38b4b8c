/// Runs two pieces of work at once. Whichever ends first decides, by its value or by what it throws; the other is cancelled and waited for.
///
/// Where the other may never end, ``firstAnswer(within:by:of:)`` leaves it alone.
package func firstToEnd<Value: Sendable>(
    _ one: @escaping @Sendable () async throws -> Value, or other: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: one)
        group.addTask(operation: other)
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

/// Runs work that heeds its cancellation, for a time at most.
///
/// - Returns: `nil` where the time was over first, and where the work ended without a value.
package func within<Value: Sendable>(_ limit: Duration, _ work: @escaping @Sendable () async throws -> Value?) async throws -> Value? {
    try await firstToEnd(
        work,
        or: {
            try await Task.sleep(for: limit)
            return nil
        })
}
