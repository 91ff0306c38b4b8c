import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Hummingbird

/// The bank's card processor, on a store of its own.
enum CardProcessorPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        CardProcessor(try await surroundings("processor.sqlite", shared, &part)).addRoutes(to: router)
    }

    /// What a provisioning party of the sandbox is given: its own store, and this process's clock, trace and randomness.
    static func surroundings(_ file: String, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part) async throws
        -> PartySurroundings
    {
        let (clock, logger) = (shared.surroundings.clock, shared.surroundings.logger)
        let database = try await StoreOpening.open(
            shared.folder.path(file), folder: shared.folder, mode: shared.options.configuration.mode,
            kind: .sandboxParty, clock: clock, logger: logger)
        part.closing.append { try await database.close() }
        return PartySurroundings(
            database: database, clock: clock, reporter: SandboxPart.reporter(shared), random: { SystemRandomness.bits() }, logger: logger)
    }
}
