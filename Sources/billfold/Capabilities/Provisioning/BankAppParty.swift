import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb
import ProvisioningServer

extension ServerRole {
    static let bankApp: Self = "bank-app"
}

/// The bank's app on its customers' phones, and the bank's own server behind it, which shares its key with the issuer's host
/// through the data folder.
struct BankAppParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.bankApp
    static let start: Start? = (Journey.provisionCard.slug, "/bank", "Open the bank’s app")

    @Option(name: .customLong("bank-app-url"), help: "The bank's app, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let issuer = process.connection(to: addresses[.provisioning].origin)
        // The broker waits for the network, and the network for the bank.
        let wallet = WalletDevice(
            broker: process.connection(to: addresses[.broker].origin, limitSeconds: 40), reporter: process.reporter)
        var surroundings = BankSurroundings(
            issuer: issuer, backEnd: HTTPBankBackEnd(issuer: issuer, key: try IssuerInstallation.bankKey(in: process.folder)),
            messages: HTTPMessageReader(processor: process.connection(to: addresses[.cardProcessor].origin)), reporter: process.reporter,
            wallet: wallet)
        let console = addresses[.console].origin
        surroundings.story = { "\(console)/stories/provisioning.attempt:\($0)" }
        let phones = await BankPhoneDirectory(surroundings: surroundings)
        part.routes.append { BankAppRoutes(directory: phones, console: console).addRoutes(to: $0) }
        try part.addSandboxAssets()
    }
}
