import ArgumentParser
import BillfoldSandbox
import BillfoldServer

extension ServerRole {
    /// The author of mini programs: what publishes them, its server, and pages of its own.
    static let miniProgramAuthor: Self = "mini-program-author"
}

/// The author of mini programs with its server, on a store and with keys of its own. It shares the onboarding key with the wallet through
/// the data folder.
struct MiniProgramAuthorParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.miniProgramAuthor
    static let stores = [StoreKind.sandboxParty]

    @Option(
        name: .customLong("mini-program-author-url"),
        help: "The author of mini programs, as containers and browsers reach it, when it runs in another process.")
    var url: String?

    func address(standard: String) throws -> CapabilityAddress { CapabilityAddress(url ?? Self.besides(standard)) }

    /// The same listener under another name: browsers keep what comes from it apart from the pages of the first. A mini program's page lies
    /// in a frame of the phone's, and must not reach into it.
    private static func besides(_ party: String) -> String {
        for name in ["127.0.0.1", "[::1]"] where party.contains("//\(name):") {
            return party.replacing("//\(name):", with: "//localhost:")
        }
        return party.replacing("//localhost:", with: "//127.0.0.1:")
    }

    func check(_ addresses: Addresses) throws {
        guard addresses[Self.role].origin != addresses[.superApp].origin else {
            throw CommandFailure.invalid(
                "--mini-program-author-url and --super-app-url are one origin: a mini program's page could reach into the phone")
        }
    }

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let author = try PlayedMiniProgramAuthor(
            .init(
                wallet: addresses[.wallet].origin, author: addresses[.miniProgramAuthor].origin,
                alipayMerchant: addresses[.alipayMerchant].origin, superApp: addresses[.superApp].origin,
                onboardingKey: try process.folder.bearer(WalletCapability.superAppOnboardingKey)),
            keys: process.partyKeys("mini-program-author"), surroundings: try await process.partySurroundings("mini-program-author.sqlite"),
            client: process.partyClient)
        part.routes.append { author.addRoutes(to: $0) }
        part.workers.append(author.publisher)
    }
}
