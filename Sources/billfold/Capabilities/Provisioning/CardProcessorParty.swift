import ArgumentParser
import BillfoldSandbox
import BillfoldServer

extension ServerRole {
    /// The processor's interface lies under `/processor`.
    static let cardProcessor: Self = "card-processor"
}

/// The bank's card processor, on a store of its own.
struct CardProcessorParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.cardProcessor
    static let stores = [StoreKind.sandboxParty]

    @Option(name: .customLong("card-processor-url"), help: "The card processor, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let processor = CardProcessor(try await process.partySurroundings("processor.sqlite"))
        part.routes.append { processor.addRoutes(to: $0) }
    }
}
