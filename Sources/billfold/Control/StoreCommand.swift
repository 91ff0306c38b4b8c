import BillfoldServer
import BillfoldStorage
import Foundation
import Logging

/// Has a request answered by whoever has the main store: this command, which opens it, or the server that has it open.
struct StoreCommand {
    let options: DatabaseOptions
    /// The servers' data folder, where one is named.
    let data: String?

    private var folderPath: String { data ?? DatabaseOptions.standardFolder }

    /// A server that has just opened its store listens a moment later.
    private func client() async throws -> ControlClient? {
        for _ in 0..<10 {
            if let client = try ControlClient(folder: folderPath) { return client }
            try await Task.sleep(for: .milliseconds(200))
        }
        return nil
    }

    /// - Parameter key: The file in the data folder that the request needs. A store elsewhere has it in some server's folder: one made
    ///   beside this command by mistake would fit nothing.
    func answer(_ request: StoreRequest, needing key: String) async throws -> StoreAnswer {
        let place = options.place(in: data)
        try place.requireStore()
        if data == nil, options.isElsewhere, !FileManager.default.fileExists(atPath: "\(folderPath)/\(key)") {
            throw CommandFailure(
                .refused, code: key.replacing(".", with: "-") + "-missing",
                reason: "\(folderPath) holds no \(key): name the data folder of the servers that use this store with --data")
        }
        let store: any InspectableDatabase
        do {
            store = try await place.open(options.logger, mustExist: true)
        } catch let error as StorageError where error.code == .inUse {
            guard case .file(let file) = place else { throw error }
            guard let client = try await client() else { throw error }
            return try await client.answer(ControlMessage(store: ControlSocket.name(ofStore: file), request: request))
        }
        do {
            let start = ContinuousClock.now
            let actions = StoreActions(
                database: store, folder: try DataFolder(folderPath, encryption: KeyEncryptionKey.encryption()), clock: SystemClock(),
                uptime: { ContinuousClock.now - start })
            let answer = try await actions.answer(request, by: "account:\(NSUserName())")
            try await store.close()
            return answer
        } catch {
            try? await store.close()
            throw error
        }
    }
}
