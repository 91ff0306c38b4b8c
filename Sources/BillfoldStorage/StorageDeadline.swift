/// The moment after which a caller no longer waits for its write or read.
///
/// It travels with the task rather than through every signature: the server sets it once per request, and each store
/// adapter reads it. A write that has not begun by then is refused with ``StorageError/Code/unavailable``; one whose
/// commit is under way ends as ``StorageError/Code/commitUnknown``, never as failed. Monotonic, so a jump of the wall
/// clock moves nothing.
public enum StorageDeadline {
    /// `nil` leaves the adapter's own limit (see its configuration).
    @TaskLocal public static var current: ContinuousClock.Instant?
}
