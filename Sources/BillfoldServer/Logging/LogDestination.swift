import Foundation
import Synchronization

/// Where finished log lines go. Each call is one line without its newline; lines never interleave.
public protocol LogDestination: Sendable {
    func write(_ line: String)
}

/// Writes lines to the process's standard error.
public final class StandardErrorLog: LogDestination {
    private let lock = Mutex(())

    public init() {}

    public func write(_ line: String) {
        lock.withLock { _ in FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }
}

/// Keeps lines in memory, for tests that look at what was logged.
public final class MemoryLog: LogDestination {
    private let kept = Mutex<[String]>([])

    public init() {}

    public var lines: [String] { kept.withLock { $0 } }

    public func write(_ line: String) { kept.withLock { $0.append(line) } }
}
