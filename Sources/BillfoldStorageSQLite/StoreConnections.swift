import BillfoldStorage
import Logging
import Synchronization

/// A store's connections, and how an ill store gets sound ones.
///
/// ``recover(from:)`` and ``close(illness:)`` run on the writer's queue; everybody may read ``open``.
final class StoreConnections: Sendable {
    private let configuration: SQLiteConfiguration
    private let logger: Logger
    private let beforeCheck: [String]
    /// Where the file was when it was opened first.
    private let place: StorePlace
    private let current: Mutex<OpenStore?>

    init(_ configuration: SQLiteConfiguration, logger: Logger, beforeCheck: [String]) throws {
        let open = try OpenStore(configuration, logger: logger, beforeCheck: beforeCheck)
        do {
            // What an earlier process could not sync may stand in the log as if it were: written into the file it is synced anew. Another
            // process that copies the file meanwhile may keep the log.
            _ = try open.writer.copyLogBack()
        } catch {
            try? open.abandon()
            throw error
        }
        self.configuration = configuration
        self.logger = logger
        self.beforeCheck = beforeCheck
        place = StorePlace(path: configuration.path)
        current = Mutex(open)
    }

    /// `nil` while the file could not be opened anew, and after the end.
    var open: OpenStore? { current.withLock { $0 } }

    /// Tries to have the store take writes again; returns once one was synced.
    ///
    /// - Throws: Why it does not.
    func recover(from illness: StorageError) throws {
        switch (Ailment(illness), open) {
        case (.damaged, _): throw illness
        case (.full, let open?):
            try requirePlace()
            // Gives back the log's own room, if no read holds it.
            _ = try open.writer.copyLogBack()
            try StoreFile(path: configuration.path).requireRoom()
            try open.writer.probe()
        default: try openAnew()
        }
    }

    func close(illness: StorageError?) throws {
        let last = current.withLock { open in
            defer { open = nil }
            return open
        }
        if let illness, case .broken = Ailment(illness) { try last?.abandon() } else { try last?.close() }
    }

    /// After a sync that failed the system may have dropped what it could not write, and call the next sync of the same file a success.
    /// Opened by nobody, the file gets a new index, made of the log from its beginning; and the log is written into the file whole and
    /// synced before the first new write.
    private func openAnew() throws {
        // Until the disk takes writes at all, reads go on over the connections at hand.
        try StoreFile(path: configuration.path).requireRoom()
        try requirePlace()
        let former = current.withLock { open in
            defer { open = nil }
            return open
        }
        try former?.abandon()
        let next = try OpenStore(configuration, logger: logger, beforeCheck: beforeCheck)
        do {
            try requirePlace()
            guard try next.writer.copyLogBack() else {
                throw StorageError(code: .storeIll, reason: "another process reads the file, and its log cannot be written back")
            }
        } catch {
            try? next.abandon()
            throw error
        }
        current.withLock { $0 = next }
        try next.writer.probe()
    }

    private func requirePlace() throws {
        guard StorePlace(path: configuration.path).hasSameFile(as: place) else {
            throw StorageError(code: .storeIll, reason: "the store's file is gone, or another lies in its place, which takes a restart")
        }
    }
}
