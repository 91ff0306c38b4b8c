import Foundation

/// The system's log of a simulated phone: keeps what was said, so that a test can read it.
public final class SimulatedLog: Sendable {
    /// A message, as somebody without a debugger reads it.
    public struct Entry: Sendable, Hashable {
        /// The program's identifier.
        public var subsystem: String
        /// What the message is about.
        public var category: String
        /// How grave it is.
        public var level: OSLogType
        /// Values that are not public stand in it as `<private>`.
        public var message: String
    }

    /// The log of the task's phone. Where there is none, messages go to the standard error stream.
    @TaskLocal public static var bound: SimulatedLog?

    private let said = OSAllocatedUnfairLock(initialState: [Entry]())

    /// Makes an empty log.
    public init() {}

    /// What was said, the oldest first.
    public var entries: [Entry] { said.withLock { $0 } }

    static func take(_ message: String, _ level: OSLogType, of log: OSLog) {
        guard !log.drops else { return }
        guard let bound else {
            let place = log.subsystem.isEmpty ? "" : "[\(log.subsystem):\(log.category)] "
            return FileHandle.standardError.write(Data((place + message + "\n").utf8))
        }
        let entry = Entry(subsystem: log.subsystem, category: log.category, level: level, message: message)
        bound.said.withLock { $0.append(entry) }
    }
}
