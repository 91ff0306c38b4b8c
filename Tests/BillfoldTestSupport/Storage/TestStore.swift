public import BillfoldStorage
public import Logging
import Synchronization

/// One store of a test, which can be closed and opened again.
public final class TestStore: Sendable {
    private let make: @Sendable () async throws -> any InspectableDatabase
    private let current: Mutex<any InspectableDatabase>

    public init(_ make: @escaping @Sendable () async throws -> any InspectableDatabase) async throws {
        self.make = make
        current = Mutex(try await make())
    }

    public var database: any InspectableDatabase { current.withLock { $0 } }

    /// Closes the store and opens the same data anew.
    @discardableResult
    public func reopen() async throws -> any InspectableDatabase {
        try await close()
        let next = try await make()
        current.withLock { $0 = next }
        return next
    }

    /// Opens the same data a second time, as another process would.
    public func openAnother() async throws -> any InspectableDatabase { try await make() }

    public func close() async throws { try await database.close() }

    public static var logger: Logger {
        var logger = Logger(label: "billfold.tests")
        logger.logLevel = .critical
        return logger
    }
}
