public import BillfoldStorage

/// The server's settings that decide whether an acknowledged write survives a power cut, as one session sees them.
public struct PostgreSQLSettings: Sendable, Hashable {
    public var synchronousCommit: String
    public var fsync: String
    public var fullPageWrites: String
    /// Quotes are read by our placeholder rewriting as the standard has them.
    public var standardConformingStrings: String
    public var serverVersion: String

    static let names = ["synchronous_commit", "fsync", "full_page_writes", "standard_conforming_strings", "server_version"]

    init(_ values: [String: String]) {
        synchronousCommit = values["synchronous_commit"] ?? "unknown"
        fsync = values["fsync"] ?? "unknown"
        fullPageWrites = values["full_page_writes"] ?? "unknown"
        standardConformingStrings = values["standard_conforming_strings"] ?? "unknown"
        serverVersion = values["server_version"] ?? "unknown"
    }

    /// - Throws: `unsafe-settings`, naming the value found. `remote_write` and `local` are weaker than `on` where a standby
    ///   is named, and are refused everywhere.
    public func requireSafe() throws(StorageError) {
        guard ["on", "remote_apply"].contains(synchronousCommit) else {
            throw unsafe("synchronous_commit is \(synchronousCommit), it must be on or remote_apply")
        }
        guard fsync == "on" else { throw unsafe("fsync is \(fsync), it must be on") }
        guard fullPageWrites == "on" else { throw unsafe("full_page_writes is \(fullPageWrites), it must be on") }
        guard standardConformingStrings == "on" else {
            throw unsafe("standard_conforming_strings is \(standardConformingStrings), it must be on")
        }
    }

    private func unsafe(_ reason: String) -> StorageError { StorageError(code: .unsafeSettings, reason: reason) }
}
