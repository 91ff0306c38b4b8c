package import BillfoldStorage
import Synchronization

/// The stores that the capabilities of a process opened, so that one place closes them: when everything has stopped, and when one of them
/// could not begin.
package final class OpenStores: Sendable {
    package typealias Store = any Database
    /// Opens the store of a kind at a file's path or by a PostgreSQL connection string, and brings its schema up to date.
    package typealias Opener = @Sendable (_ kind: StoreKind, _ choice: String) async throws -> Store

    private let opener: Opener
    private let held = Mutex<[Store]>([])

    package init(_ opener: @escaping Opener) { self.opener = opener }

    package func open(_ kind: StoreKind, at choice: String) async throws -> Store {
        let store = try await opener(kind, choice)
        held.withLock { $0.append(store) }
        return store
    }

    /// Closes all of them, last opened first. One that fails keeps no other open. Whoever comes second waits for the first: a store bears
    /// to be closed again.
    package func close() async {
        for store in held.withLock({ $0 }).reversed() { try? await store.close() }
    }
}
