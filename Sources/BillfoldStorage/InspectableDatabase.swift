/// What an operator asks of a store beyond reading and writing.
public protocol InspectableDatabase: Database {
    /// The engine with its version, for logs and `db check`: `SQLite 3.40.1`.
    var engine: String { get }

    /// The durability settings as read back from the engine when the store was opened, by their names there.
    var durabilitySettings: [String: String] { get }

    /// The names of its tables, whoever made them, in their order.
    func tableNames() async throws -> [String]

    /// Checks the store's structure and foreign keys; an empty list is a healthy store.
    func integrityProblems() async throws -> [String]
}
