import AlipayPlusServer
import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb

extension ServerRole {
    /// The acquirer of the payment sheet, and its merchant's app and till.
    static let acquirer: Self = "acquirer"
}

/// The acquirer of the payment sheet with its merchant's app and till, on a store and with keys of its own.
struct AcquirerParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.acquirer
    static let stores = [StoreKind.sandboxParty]
    static let start: Start? = (Journey.paymentSheet.slug, "/plus-shop/", nil)

    @Option(name: .customLong("acquirer-url"), help: "The sandbox's acquirer, when it runs in another process.") var url: String?
    @Option(help: "Its merchant's pages as browsers reach them. Default: --acquirer-url.") var acquirerPagesURL: String?

    func address(standard: String) throws -> CapabilityAddress { CapabilityAddress(url ?? standard, pages: acquirerPagesURL) }

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let wallets = addresses[.mobileWallets].members
        let acquirer = try await AlipayPlusAcquirer(
            .init(
                gateway: addresses[.alipayPlus].origin, sheets: addresses[.alipayPlus].pages, acquirer: addresses[.acquirer].origin,
                shop: addresses[.acquirer].pages, walletPages: { wallets[$0] }, console: addresses[.console].origin,
                onboardingKey: try process.folder.bearer(AlipayPlusCapability.onboardingKey)),
            keys: process.partyKeys("acquirer"), surroundings: try await process.partySurroundings("acquirer.sqlite"),
            client: process.partyClient)
        part.routes.append { acquirer.addRoutes(to: $0) }
        part.workers.append(acquirer.worker)
        try part.addSandboxAssets()
    }
}
