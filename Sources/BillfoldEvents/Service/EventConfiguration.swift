package import BillfoldPayments
package import BillfoldServer

/// What events are told by, read once.
package struct EventConfiguration: Sendable {
    package var mode: ServerMode
    /// Endpoints' keys are made with it: nothing of them stands in the store.
    package var hashing: HashingKey
    /// What the routes begin with, such as `/v1`.
    package var prefix: String
    /// Where endpoints may be. In test mode this machine is one of the places.
    package var addresses = AddressPolicy.publicAddresses
    /// The waits between attempts: about three days in all.
    package var retries = RetrySchedule.fixed(
        [5, 30, 120, 600, 1_800, 3_600, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map { .seconds($0) })
    /// How long an endpoint has for its answer.
    package var timeout: Duration = .seconds(15)
    /// How long a message that is being sent is left to its worker.
    var lease: Duration { timeout * 2 }
    /// Most endpoints of one owner.
    package var mostEndpoints = 16
    /// Most open streams of one owner in this process.
    package var mostStreams = 8
    /// How often a silent stream says that it is alive.
    package var heartbeat: Duration = .seconds(15)

    package init(mode: ServerMode, hashing: HashingKey, prefix: String) {
        (self.mode, self.hashing, self.prefix) = (mode, hashing, prefix)
    }
}
