import ArgumentParser

/// What every operators command takes.
struct OperatorsOptions: ParsableArguments {
    @Option(help: "The servers' data folder, which holds the audit trail's key and, without --database, the store. (default: .billfold)")
    var data: String?
    @OptionGroup var database: DatabaseOptions

    /// Has the servers' store asked, in the name of the account that runs the command, and prints what comes of it.
    func answer(_ request: () throws -> StoreRequest, _ write: (StoreAnswer) throws -> DatabaseAnswer) async throws {
        try await database.answer {
            // Before anybody types a password.
            try database.place(in: data).requireStore()
            return try write(await StoreCommand(options: database, data: data).answer(try request(), needing: "audit.key"))
        }
    }
}
