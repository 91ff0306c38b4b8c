import ArgumentParser
import BillfoldStorage

/// `db migrate`: what a server does at its start, done beforehand.
struct DatabaseMigrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "migrate", abstract: "Bring a store's schema up to date.")

    @OptionGroup var options: DatabaseOptions
    @Flag(help: "Say what would run, and change nothing.") var dryRun = false

    func run() async throws {
        try await options.answer {
            let logger = options.logger
            let database = try await options.place.open(logger, mustExist: dryRun)
            let names: [String]
            do {
                let runner = options.runner(logger)
                names = dryRun ? try await runner.pending(on: database) : try await runner.run(on: database)
            } catch {
                try? await database.close()
                throw error
            }
            try await database.close()
            let verb = dryRun ? "pending" : "applied"
            return DatabaseAnswer(
                text: names.isEmpty ? "The schema is up to date." : names.map { "\(verb)  \($0)" }.joined(separator: "\n"),
                object: [verb: names, "engine": database.engine])
        }
    }
}
