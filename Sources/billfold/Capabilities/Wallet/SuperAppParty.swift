import AppContainer
import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb
import Foundation
import Logging
import WalletServer

extension ServerRole {
    /// Phones that run the super app.
    static let superApp: Self = "super-app"
}

/// Phones with the super app of the wallet.
struct SuperAppParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.superApp
    static let start: Start? = (Journey.miniProgram.slug, "/super-app/", nil)
    /// What runs mini programs' scripts in processes of their own. It is built beside this program.
    static let workerName = "billfold-mini-program"

    @Option(
        name: .customLong("super-app-url"),
        help: "The phones with the super app, as browsers reach them, when they run in another process.")
    var url: String?
    @Flag(help: "Refuse to run mini programs' scripts where the system gives their processes no sandbox.") var requireWorkerSandbox = false

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let worker = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: Self.workerName)
        let hasWorker = worker.map { FileManager.default.isExecutableFile(atPath: $0.path) } ?? false
        try await checkSandbox(hasWorker ? worker : nil, process.surroundings.logger)
        let app = await SuperApp(
            .init(
                wallet: addresses[.wallet].origin, phone: addresses[.superApp].origin, pages: [addresses[.miniProgramAuthor].origin],
                console: addresses[.console].origin, linkScheme: WalletCapability.linkScheme, codeHost: WalletCapability.codeHost,
                people: DemoCustomer.all.map { .init(name: $0.email, password: $0.loginPassword, title: $0.name) },
                folder: URL(fileURLWithPath: process.folder.path("super-app"), isDirectory: true), worker: hasWorker ? worker : nil,
                requiresWorkerSandbox: requireWorkerSandbox),
            network: HTTPPhoneNetwork(client: process.partyClient), reporter: process.reporter, random: { SystemRandomness.bits() })
        part.routes.append { app.addRoutes(to: $0) }
        // Photographs for the scanner.
        part.largestBody = SuperAppRoutes.pictureLimit
        try part.addSandboxAssets()
    }

    /// Says once what protects this machine from scripts of strangers. Refuses with `worker-unsandboxed` where that is insisted on and is
    /// not there.
    private func checkSandbox(_ worker: URL?, _ logger: Logger) async throws {
        guard let worker else {
            let lack = "\(Self.workerName) is not beside this program: scripts of mini programs share its memory"
            if requireWorkerSandbox { throw Self.unsandboxed(lack) }
            return logger.warning("\(lack)")
        }
        let sandbox = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try WorkerSandbox.probe(worker) })
            }
        }
        if requireWorkerSandbox, !sandbox.isSufficient { throw Self.unsandboxed(sandbox.complaint) }
        guard !sandbox.complaint.isEmpty else { return }
        logger.warning(
            "scripts of mini programs run with less of a sandbox than this program knows to give",
            metadata: ["missing": "\(sandbox.complaint)", "sufficient": "\(sandbox.isSufficient)"])
    }

    private static func unsandboxed(_ reason: String) -> CommandFailure {
        CommandFailure(.refused, code: AppContainerError.Code.workerUnsandboxed.description, reason: reason)
    }
}
