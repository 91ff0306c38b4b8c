import Foundation
import Synchronization

/// Where finished log lines go. Each call is one line without its newline; lines never interleave.
package protocol LogDestination: Sendable {
    func write(_ line: String)
}

/// Writes lines to the process's standard error.
package final class StandardErrorLog: LogDestination {
    private let lock = Mutex(())

    package init() {}

    package func write(_ line: String) {
        lock.withLock { _ in FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }
}

/// Keeps lines in memory, for tests that look at what was logged.
package final class MemoryLog: LogDestination {
    private let kept = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { kept.withLock { $0 } }

    package func write(_ line: String) { kept.withLock { $0.append(line) } }
}
