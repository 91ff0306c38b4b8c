import AppContainer
import BillfoldTrace
import CodeReader
import Foundation
import MiniProgramZip
import MiniPrograms
import PaymentCrypto
import WalletAPI

/// The parties, places and means that a phone with the super app has.
struct SuperAppSurroundings: Sendable {
    /// The wallet's origin, as app and browser reach it.
    var wallet: String
    var network: any PhoneNetwork
    var reporter: PartyReporter
    var people: [SuperAppScreen.Person]
    /// Of links that open mini programs, and the host in printed codes.
    var linkScheme: String
    var codeHost: String
    /// Where the device keeps mini programs and their values.
    var folder: URL
    /// What runs scripts in processes of their own; nil runs them in this one.
    var worker: URL?
    var requiresWorkerSandbox = false
    var random: @Sendable () -> UInt64
    /// The address of a run's messages in the console; nil without one.
    var story: @Sendable (_ run: String) -> String?
    var decoder: any CodeDecoding = PictureCodeReader()
    var cookies = MiniProgramCookies()
    var shelves = ProgramShelves()

    /// Everything that a run needs.
    func setup(
        _ opened: OpenedMiniProgram, user: SuperAppServer.User, services: WalletServices, person: PhonePerson, run: String,
        network: any PhoneNetwork, screen: PhoneHost
    ) -> MiniProgramSetup {
        let metadata = opened.metadata
        let grant = MiniProgramGrant(
            features: Set(metadata.features), requestDomains: DomainList(metadata.serverDomains, allowsPlainHTTP: true),
            webPageDomains: DomainList(metadata.webPageDomains, allowsPlainHTTP: true), customInterfaces: metadata.customInterfaces)
        let policy = policy(metadata)
        let links = DeepLinkWorkflow(services: services, policy: { $0 == metadata.appID ? policy : nil }) { prompt in
            var sheet = SuperAppScreen.Sheet(.link, title: prompt.appName)
            sheet.text = prompt.destination
            guard case .yes = await person.asks(sheet) else { return false }
            return true
        }
        let now: @Sendable () -> Double = { [reporter] in Double(reporter.now()) / 1_000 }
        let door = ProgramDoor(network: network, reporter: reporter, run: run)
        let requesting = RequestingHost(domains: grant.requestDomains, cookies: cookies, now: now, screen: screen) {
            try await door.send($0)
        }
        return MiniProgramSetup(
            code: opened.code,
            identity: MiniProgramIdentity(
                appID: metadata.appID, name: metadata.name, logo: metadata.logo, version: metadata.version.description,
                authClientID: metadata.authClientID, isFromAlipayConnect: metadata.workspace == .connect, userID: user.number),
            grant: grant,
            host: WalletHost(
                services: services, authorization: AuthorizationWorkflow(services: services), deepLinks: links, screen: requesting),
            store: FileMiniProgramStore(folder: folder.appending(path: "storage")), clock: now, seed: random())
    }

    /// What the platform lists for the mini program: its scenes, its own pages, and the super app's links.
    private func policy(_ metadata: MiniProgramMetadata) -> DeepLinkPolicy {
        var hosts = Set(metadata.webPageDomains)
        hosts.formUnion(metadata.webPageDomains.map { "http://\($0)" })
        return DeepLinkPolicy(scenes: Set(metadata.scenes), hosts: hosts, schemes: [linkScheme])
    }

    /// A script gets a process of its own where there is a program for it. Throws `worker-unavailable`, and `worker-unsandboxed` for a
    /// script that would share this process where a sandbox is insisted on.
    func instance(of setup: MiniProgramSetup, isScript: Bool) throws(AppContainerError) -> any ProgramInstance {
        guard isScript else { return MiniProgram(setup) }
        if let worker { return try WorkerProgram(setup, executable: worker, requiresSandbox: requiresWorkerSandbox) }
        guard !requiresWorkerSandbox else {
            throw AppContainerError(code: .workerUnsandboxed, reason: "there is no program for workers")
        }
        return MiniProgram(setup)
    }
}

/// A mini program's requests to its servers, reported as the super app's, and with the run's name beside them.
private struct ProgramDoor: Sendable {
    let network: any PhoneNetwork
    let reporter: PartyReporter
    let run: String

    func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response {
        let (title, about) = ("\(request.method) \(request.address.path())", [Correlation.run: run])
        var request = request
        request.headers[PartyIntake.runHeader.lowercased()] = run
        let exchange = reporter.report(.request, from: .superApp, to: .author, title, correlation: about)
        do {
            let answer = try await Exchange.$reported.withValue(exchange) { try await network.send(request) }
            reporter.report(
                .response, from: .author, to: .superApp, title, correlation: about, fields: [.init("status", String(answer.status))],
                problem: answer.status < 400 ? nil : "status \(answer.status)")
            return answer
        } catch {
            reporter.report(.note, from: .superApp, to: .superApp, "\(title): no answer", correlation: about, problem: "no answer")
            throw error
        }
    }
}

/// What the device keeps for each of its users, whichever phone they hold.
actor ProgramShelves {
    private var keys: KeyRing<PublicKey>?
    private var shelves: [String: ProgramShelf] = [:]

    func shelf(of user: SuperAppServer.User, _ server: SuperAppServer, _ surroundings: SuperAppSurroundings) async throws -> ProgramShelf {
        let keys = if let keys { keys } else { try await server.platformKeys() }
        self.keys = keys
        // Nothing is waited for from here on: two who come at once get the same.
        if let shelf = shelves[user.number] { return shelf }
        let shelf = ProgramShelf(
            keys: keys, archives: ZipPackages(), container: SuperAppServer.container,
            folder: surroundings.folder.appending(path: "programs/\(user.number)"))
        shelves[user.number] = shelf
        return shelf
    }
}
