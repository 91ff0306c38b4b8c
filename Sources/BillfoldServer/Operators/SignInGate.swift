import HTTPTypes

/// What stands before a password is compared: limits on attempts, and a bounded queue for the dear work of hashing.
///
/// An attempt counts against the address it comes from and against the name as tried from that address, so that one
/// stranger can neither keep the hashing busy nor lock an operator out from elsewhere. A wide limit on the name alone
/// remains for guesses that are spread over many addresses.
package struct SignInGate: Sendable {
    /// How many operators may wait for the hashing at once; more are turned away before any work.
    static let longestQueue = 8

    private let byAddress: RateLimiter
    private let byNameAndAddress: RateLimiter
    private let byName: RateLimiter
    private let work: WorkPool

    /// - Parameters:
    ///   - uptime: The time since some fixed instant on a clock that never goes back.
    ///   - queue: How many places there are for the hashing, half of them for one caller.
    ///   - threads: How many hashes are made at the same time, each with the memory that its cost names.
    ///   - scale: How many times the usual number of attempts are taken.
    package init(uptime: @escaping @Sendable () -> Duration, queue: Int, threads: Int = 1, scale: Int = 1) {
        // A hash is soon made: callers take turns, and one alone may have all threads.
        work = WorkPool(
            "passwords",
            WorkPool.Limits(threads: threads, queue: queue - threads, threadsPerCaller: threads, placesPerCaller: max(1, queue / 2)))
        // A limiter counts whole requests a second; on a clock ten times slower one a second is one every ten seconds.
        let tenth: @Sendable () -> Duration = { uptime() / 10 }
        byAddress = RateLimiter(limit: RateLimit(perSecond: 5 * scale, burst: 20 * scale), uptime: tenth)
        byNameAndAddress = RateLimiter(limit: RateLimit(perSecond: 1 * scale, burst: 5 * scale), uptime: tenth)
        byName = RateLimiter(limit: RateLimit(perSecond: 10 * scale, burst: 100 * scale), uptime: tenth)
    }

    /// Refuses with 429 `rate-limited`. Names are remembered as they are: whoever calls has looked at their length.
    package func admit(_ name: String, from address: String) throws(ServerError) {
        let name = name.lowercased()
        // The address first: what it refuses costs nobody else an attempt.
        try admit(from: address)
        try admit("\(address) \(name)", by: byNameAndAddress)
        try admit(name, by: byName)
    }

    /// Counts an attempt under something that cannot be a name. Refuses with 429 `rate-limited`.
    package func admit(from address: String) throws(ServerError) { try admit(address, by: byAddress) }

    private func admit(_ caller: String, by limiter: RateLimiter) throws(ServerError) {
        guard case .admitted = limiter.admit(caller) else {
            throw ServerError(
                code: .rateLimited, reason: "too many attempts to sign in", status: .tooManyRequests, headers: [.retryAfter: "10"])
        }
    }

    /// Runs hashing away from requests, on threads of its own with the memory of a few hashes only. Refuses with 503 `unavailable` where too
    /// many wait already, and with 429 `rate-limited` a caller who holds half of the places.
    ///
    /// - Parameter caller: Takes turns with others: an address, an account.
    package func hash<Result: Sendable>(
        for caller: String, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await work.run(for: caller) { _ in try body() }
    }
}
