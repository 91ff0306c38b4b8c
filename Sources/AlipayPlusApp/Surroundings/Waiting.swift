/// As ``AlipayPlusClient/Wait``: returns when the duration is over; throws when its task is cancelled.
typealias Waiting = @Sendable (Duration) async throws -> Void
