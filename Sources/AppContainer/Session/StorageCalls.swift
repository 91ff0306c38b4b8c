import BillfoldJSON
import MiniPrograms

/// `my.setStorage` and its kin for one user and mini program, within their limits (mini-programs.md#storage).
struct StorageCalls {
    let store: any MiniProgramStore
    let partition: MiniProgramIdentity.Partition
    let limits: ContainerLimits

    func answer(_ name: String, _ arguments: JSONObject) -> JSAPIAnswer {
        do throws(AppContainerError) {
            return try answered(name, arguments)
        } catch {
            return .failure(JSAPIFailure(.unknown, "\(name): \(error.code)"))
        }
    }

    private func answered(_ name: String, _ arguments: JSONObject) throws(AppContainerError) -> JSAPIAnswer {
        let key = arguments["key"]?.string ?? ""
        switch name {
        case "setStorage":
            guard (1...FileMiniProgramStore.keyLimit).contains(key.utf8.count) else {
                return .failure(JSAPIFailure(.invalidParameter, "setStorage: key has 1 to \(FileMiniProgramStore.keyLimit) bytes"))
            }
            let text = (arguments["data"] ?? .null).text
            guard text.utf8.count <= limits.storedItemBytes else {
                return .failure(JSAPIFailure(.invalidParameter, "setStorage: \(text.utf8.count) bytes, at most \(limits.storedItemBytes)"))
            }
            let others = try store.sizes(of: partition).reduce(0) { $0 + ($1.key == key ? 0 : $1.value) }
            guard others + text.utf8.count <= limits.storedBytes else {
                return .failure(JSAPIFailure(.invalidParameter, "setStorage: all values would have more than \(limits.storedBytes) bytes"))
            }
            try store.set(key, to: text, of: partition)
            return .success([])
        case "getStorage":
            let text = try store.value(key, of: partition)
            let value = text.flatMap { try? JSONReader.read([UInt8]($0.utf8), maximumBytes: limits.storedItemBytes, maximumDepth: 128) }
            // Null where there is none [I].
            return .success(JSONObject([.init("data", value ?? .null)]))
        case "removeStorage": try store.set(key, to: nil, of: partition)
        case "clearStorage": try store.clear(partition)
        default:
            let sizes = try store.sizes(of: partition)
            // Kibibytes, rounded up.
            return .success(
                JSONObject([
                    .init("keys", .array(sizes.keys.sorted().map(JSONValue.string))),
                    .init("currentSize", .integer((sizes.values.reduce(0, +) + 1023) / 1024)),
                    .init("limitSize", .integer(limits.storedBytes / 1024)),
                ]))
        }
        return .success([])
    }
}
