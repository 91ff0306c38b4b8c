/// How long something may take.
enum TimeBudget {
    /// Runs an operation that answers to cancellation, for so long at the most. Refuses with `timed-out`.
    static func within<Value: Sendable>(
        _ budget: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let late = ProvisioningError(code: .timedOut, reason: "this took too long, please try again")
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: budget)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw late }
            return value
        }
    }
}
