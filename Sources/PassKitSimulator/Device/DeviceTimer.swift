/// How the device waits. Injected, so that a test decides when thirty seconds are over.
public struct DeviceTimer: Sendable {
    /// Returns when the duration is over; throws `CancellationError` when its task is cancelled first.
    public var sleep: @Sendable (Duration) async throws -> Void

    public init(sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }

    public static let continuous = DeviceTimer { try await Task.sleep(for: $0) }
}
