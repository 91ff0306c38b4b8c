import Foundation
import Synchronization

/// Lines for the test, each written at once and whole: what was printed before a kill was said.
final class Report: Sendable {
    private let lock = Mutex(())

    func line(_ text: String) {
        lock.withLock { _ in
            let bytes = Array((text + "\n").utf8)
            _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
        }
    }
}
