import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Foundation

/// A party that somebody else operates, played on the sandbox's listener under a path of its own.
protocol SandboxParty: Capability {
    /// Adds what the party plays.
    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws
}

extension SandboxParty {
    static var place: CapabilityPlace { .sandbox }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        var part = CapabilityPart()
        try await play(in: process, adding: &part)
        return part
    }
}

extension StoreKind {
    static let sandboxParty = Self(
        name: "sandbox-party", owner: "another party of the sandbox", own: PartySurroundings.migrations, isSandbox: true)
}

extension CapabilityPart {
    /// Has the styles and scripts served that the sandbox's pages share.
    mutating func addSandboxAssets() throws {
        let assets = try SandboxAssets()
        sharedRoutes["sandbox-assets"] = { assets.addRoutes(to: $0) }
    }
}

extension ServingProcess {
    /// What a party of the sandbox reports with.
    var reporter: PartyReporter {
        let clock = surroundings.clock
        return PartyReporter(sink: trace, now: { clock.now().microseconds }, makeName: { SystemRandomness.name() })
    }

    /// A party's connection to another one.
    func connection(to origin: String, limitSeconds: Int64 = 20) -> HTTPMerchantConnection {
        HTTPMerchantConnection(origin: origin, client: partyClient, limitSeconds: limitSeconds)
    }

    /// What a party is given that keeps a store: that one, and this process's clock, trace and randomness.
    func partySurroundings(_ file: String) async throws -> PartySurroundings {
        PartySurroundings(
            database: try await stores.open(.sandboxParty, at: folder.path(file)), clock: surroundings.clock, reporter: reporter,
            random: { SystemRandomness.bits() }, logger: surroundings.logger)
    }

    /// Where a party keeps its own keys in the data folder.
    func partyKeys(_ name: String) -> PartyKeys { PartyKeys(URL(fileURLWithPath: folder.path(name), isDirectory: true)) }
}
