import AppContainer
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
        try await checkSandbox(hasWorker ? worker : nil, shared)
        let app = await SuperApp(
            .init(
                wallet: addresses.wallet, phone: addresses.superApp, pages: [addresses.miniProgramAuthor], console: addresses.console,
                linkScheme: WalletPart.linkScheme, codeHost: WalletPart.codeHost,
                people: DemoCustomer.all.map { .init(name: $0.email, password: $0.loginPassword, title: $0.name) },
                folder: URL(fileURLWithPath: shared.folder.path("super-app"), isDirectory: true), worker: hasWorker ? worker : nil,
                requiresWorkerSandbox: shared.options.requiresWorkerSandbox),
            network: HTTPPhoneNetwork(client: shared.partyClient), reporter: SandboxPart.reporter(shared),
            random: { SystemRandomness.bits() })
        app.addRoutes(to: router)
    }

    /// Says once what protects this machine from scripts of strangers. Refuses with `worker-unsandboxed` where that is insisted on and is
    /// not there.
    private static func checkSandbox(_ worker: URL?, _ shared: ServeComposition.Shared) async throws {
        let logger = shared.surroundings.logger
        guard let worker else {
            let lack = "\(workerName) is not beside this program: scripts of mini programs share its memory"
            if shared.options.requiresWorkerSandbox { throw unsandboxed(lack) }
            return logger.warning("\(lack)")
        }
        let sandbox = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try WorkerSandbox.probe(worker) })
            }
        }
        if shared.options.requiresWorkerSandbox, !sandbox.isSufficient { throw unsandboxed(sandbox.complaint) }
        guard !sandbox.complaint.isEmpty else { return }
        logger.warning(
            "scripts of mini programs run with less of a sandbox than this program knows to give",
            metadata: ["missing": "\(sandbox.complaint)", "sufficient": "\(sandbox.isSufficient)"])
    }

    private static func unsandboxed(_ reason: String) -> CommandFailure {
        CommandFailure(.refused, code: AppContainerError.Code.workerUnsandboxed.description, reason: reason)
    }
}
