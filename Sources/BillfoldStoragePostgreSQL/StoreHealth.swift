import BillfoldStorage
import Logging
import Synchronization

/// What was last found of the server: whether it takes writes. One line in the log for each change.
final class StoreHealth: Sendable {
    private let state = Mutex<StorageError?>(nil)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    var illness: StorageError? { state.withLock { $0 } }

    func fallIll(_ error: StorageError) {
        let wasWell = state.withLock { illness in
            defer { illness = error }
            return illness == nil
        }
        guard wasWell else { return }
        logger.log(
            level: error.code == .storeIll ? .critical : .error, "the store is ill and takes no writes", metadata: ["reason": "\(error)"])
    }

    func recover() {
        let wasIll = state.withLock { illness in
            defer { illness = nil }
            return illness != nil
        }
        if wasIll { logger.notice("the store takes writes again") }
    }
}
