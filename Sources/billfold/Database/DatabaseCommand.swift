import ArgumentParser

/// `billfold db`: the schema, the soundness and the copies of a store.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db", abstract: "Migrate, check and copy a store.",
        subcommands: [DatabaseMigrate.self, DatabaseCheck.self, DatabaseBackup.self])
}
