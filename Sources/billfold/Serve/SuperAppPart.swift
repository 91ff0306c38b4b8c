import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird
import Logging
import WalletServer

/// Phones with the super app of the wallet.
enum SuperAppPart {
    /// What runs mini programs' scripts in processes of their own. It is built beside this program.
    static let workerName = "billfold-mini-program"

    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared) async throws {
        let addresses = shared.options.addresses
        let worker = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: workerName)
        let hasWorker = worker.map { FileManager.default.isExecutableFile(atPath: $0.path) } ?? false
        if !hasWorker {
            shared.surroundings.logger.warning("\(workerName) is not beside this program: scripts of mini programs share its memory")
        }
        let app = await SuperApp(
            .init(
                wallet: addresses.wallet, phone: addresses.superApp, pages: [addresses.miniProgramAuthor], console: addresses.console,
                linkScheme: WalletPart.linkScheme, codeHost: WalletPart.codeHost,
                people: DemoCustomer.all.map { .init(name: $0.email, password: $0.loginPassword, title: $0.name) },
                folder: URL(fileURLWithPath: shared.folder.path("super-app"), isDirectory: true), worker: hasWorker ? worker : nil),
            network: HTTPPhoneNetwork(client: shared.partyClient), reporter: SandboxPart.reporter(shared),
            random: { SystemRandomness.bits() })
        app.addRoutes(to: router)
    }
}
