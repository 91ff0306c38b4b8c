import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import CWipeOnFree
import Foundation
import Hummingbird
import Logging
import Metrics
import NIOCore
import PaymentCrypto
import ServiceLifecycle
import UnixSignals

/// What one process of `billfold serve` runs: listeners and workers for its roles, and nothing else.
///
/// The sandbox's listener comes up first and goes down last: the merchant's server has certificates issued and keys registered
/// by the sandbox parties over HTTP, as a real merchant has by real ones, whether they run in this process or in another.
struct ServeComposition: Sendable {
    let options: ServeOptions
    /// Whether nothing else runs in this process: its logging, metrics, signals, core dumps and threads are this program's.
    var isWholeProcess = true

    /// What this process has beside what its capabilities are given.
    struct Shared: Sendable {
        var options: ServeOptions
        /// What each capability of the sandbox is given. Ours get the same with stores of their own: the sandbox's are closed after them.
        var process: ServingProcess
        /// The same as the process's sender, to be shut down.
        var sender: AsyncHTTPSender
        var trace: TraceWiring
        /// Ends the process a while after a signal, whatever still runs.
        var shutdownDeadline: ShutdownDeadline
        /// Everybody's clock, and that of the surroundings, in test mode.
        var testClocks: (everybodys: MovableClock, spaces: SpaceClock)?

        /// What the sandbox's parties put on the way to our servers.
        var before: [CapabilityPart.Routes] = []

        var surroundings: ServerSurroundings { process.surroundings }

        /// The same with what the sandbox's parties put on the way between our servers and others.
        func interposing(_ interpositions: [Interposition]) -> Shared {
            var shared = self
            for interposition in interpositions {
                shared.process.sender = interposition.sender(shared.process.sender)
                shared.before.append(interposition.before)
            }
            return shared
        }

        /// What a failure of a server does: the process ends, and with an error.
        var endsWithFailure: @Sendable () -> Void {
            { [shutdownDeadline] in shutdownDeadline.begin(status: CommandFailure.Kind.ourFault.rawValue) }
        }

        /// The parts of what this process runs at a place. Its stores are closed before a forced end, from now on.
        func begin(at place: CapabilityPlace, in process: ServingProcess) async throws -> [CapabilityPart] {
            guard process.mode == .test || place != .sandbox || options.served(at: place).isEmpty else {
                throw CommandFailure.invalid("sandbox parties do not exist in production mode")
            }
            shutdownDeadline.closeFirst([{ [stores = process.stores] in await stores.close() }])
            var parts: [CapabilityPart] = []
            for capability in options.served(at: place) { parts.append(try await capability.part(of: process)) }
            return parts
        }

        /// Where commands reach this process, which has the main store open; `nil` where others can open it beside us.
        func control(of mainStore: any Database) -> ControlSocket? {
            let choice = process.mainStore ?? process.folder.path(ServingProcess.mainStoreFile)
            guard !StoreOpening.isPostgreSQL(choice) else { return nil }
            return ControlSocket(
                folder: process.folder, store: choice,
                actions: StoreActions(
                    database: mainStore, folder: process.folder, clock: surroundings.clock, uptime: surroundings.uptime),
                logger: surroundings.logger)
        }

        /// Leaves word in the data folder of where everything is. Commands of the sandbox do without it when it cannot be written.
        func tellCommands() {
            let told = ServedAddresses(
                options.addresses, roles: Capabilities.roles, sandbox: "http://\(options.sandboxListener.address)")
            do { try told.keep(in: process.folder) } catch {
                surroundings.logger.warning("commands are not told where the servers are", metadata: ["error": "\(CommandFailure(error))"])
            }
        }

        /// One listener for what parts serve at a place.
        func listener(_ configuration: ListenerConfiguration, for parts: [CapabilityPart], adding clock: ClockRoutes? = nil) -> Listener {
            var (surroundings, listener) = (surroundings, configuration)
            for part in parts { surroundings.errors = part.errors(surroundings.errors) }
            listener.limits.maximumBodyBytes = max(listener.limits.maximumBodyBytes, parts.map(\.largestBody).max() ?? 0)
            for part in parts { listener.limits.drainedBodies.merge(part.drainedBodies, uniquingKeysWith: max) }
            if let longest = parts.map(\.longestAddress).max(), longest > 0 { listener.limits.maximumHeaderBytes += longest }
            listener.quietRoutes.formUnion(parts.flatMap(\.quietRoutes))
            listener.foreignForms.formUnion(parts.flatMap(\.foreignForms))
            // On loopback a server answers for the machine's own names alone; a proxy before it sends the merchants' names.
            if listener.address.isLoopback { listener.hosts.formUnion(parts.flatMap(\.hosts)) }
            let router = surroundings.router(for: listener)
            add(parts, and: clock, to: router)
            return Listener(listener, router: router, logger: surroundings.logger)
        }

        /// Adds what parts serve at a place.
        func add(_ parts: [CapabilityPart], and clock: ClockRoutes?, to router: Router<ServerRequestContext>) {
            for add in before { add(router) }
            for add in parts.flatMap(\.routes) { add(router) }
            for add in parts.reduce(into: [:], { $0.merge($1.sharedRoutes) { first, _ in first } }).values { add(router) }
            clock?.addRoutes(to: router)
        }

        /// What the process of a capability's parts sends with is shut down when it ends.
        func shutDown() async {
            try? await process.partyClient.shutdown()
            try? await sender.shutdown()
            shutdownDeadline.cancel()
        }
    }

    func run() async throws {
        if isWholeProcess { Self.leaveNoCore() }
        let descriptors = DescriptorLimit.raise()
        let shared = try await makeShared(descriptors)
        if isWholeProcess { shared.shutdownDeadline.watch() }
        let result = await Result { try await serve(shared) }
        await shared.shutDown()
        try result.get()
    }

    /// What the process holds in memory while it works, card numbers among it, is not written to disk when it crashes.
    private static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
            setrlimit(RLIMIT_CORE, &none)
        #else
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #endif
    }

    private func serve(_ shared: Shared) async throws {
        let stores = shared.process.stores
        let result = await Result { try await serve(shared, sandbox: shared.begin(at: .sandbox, in: shared.process)) }
        await stores.close()
        try result.get()
    }

    private func serve(_ shared: Shared, sandbox: [CapabilityPart]) async throws {
        let (isUp, up) = AsyncStream.makeStream(of: Void.self)
        var services: [any Service] = [TraceForwardingService(shared.trace.forwarder)]
        if let (clock, spaces) = shared.testClocks {
            services.append(ClockFollower(clock: clock, spaces: spaces, logger: shared.surroundings.logger))
        }
        if sandbox.isEmpty {
            up.finish()
        } else {
            let listener = shared.listener(
                shared.options.sandboxListener, for: sandbox,
                adding: shared.testClocks.map { ClockRoutes(clock: $0.everybodys, spaces: $0.spaces) })
            services.append(
                ServerGroup(
                    listeners: [listener], workers: sandbox.flatMap(\.workers), surroundings: shared.surroundings, handlesSignals: false,
                    onListening: { _, _ in up.finish() }, onFailure: shared.endsWithFailure))
        }
        services.append(
            OwnServers(
                shared: shared.interposing(sandbox.compactMap(\.interposition)), sandboxIsUp: isUp,
                announcements: sandbox.flatMap(\.announcements)))
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: isWholeProcess ? [.sigterm, .sigint] : [], logger: shared.surroundings.logger)
        ).run()
    }

    /// What is left to workers and stores once the listeners' grace is over.
    private static let shutdownMargin: Duration = .seconds(5)

    func makeShared(_ descriptors: Int) async throws -> Shared {
        let options = options.sharing(descriptors: descriptors)
        let isTest = options.configuration.mode == .test
        let encryption = try KeyEncryptionKey.encryption()
        guard isTest || encryption != nil || options.plainKeys else {
            throw CommandFailure(
                .usage, code: "keys-not-sealed",
                reason: "name a key-encryption key's file in \(KeyEncryptionKey.variable), or say --plain-keys")
        }
        let roots = try options.outgoingRoots.map { try ConfigurationFile.bytes($0) }
        let tls = try OutgoingTLS(roots: roots)
        try await options.tryOut()
        let folder = try DataFolder(options.dataFolder, encryption: encryption)
        let testClocks = isTest ? try await FolderClockOffset.clocks(in: folder) : nil
        let (clock, everybodys): (any WallClock, any WallClock) =
            testClocks.map { ($0.spaces, $0.everybodys) } ?? (SystemClock(), SystemClock())
        let (format, level) = (options.logFormat, options.logLevel)
        let metrics = PrometheusMetrics()
        if isWholeProcess {
            LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: format, level: level, clock: everybodys) }
            MetricsSystem.bootstrap(metrics)
        }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), metrics: metrics, clock: clock, uptime: { ContinuousClock.now - start })
        if !isTest, !billfold_refuse_core_dumps() {
            surroundings.logger.warning("a core dump of this process would hold keys, and this system writes them: turn it off there")
        }
        if !isTest, !options.servesConsole, options.configuration.traceToken == nil {
            surroundings.logger.warning("without BILLFOLD_TRACE_TOKEN no console takes what this process reports")
        }
        if isWholeProcess, !options.scheduling.apply() {
            surroundings.logger.warning("the system lets no thread be scheduled for throughput")
        }
        // Clients come last: they must be shut down once they are made.
        let counterparties = options.capabilities.map { type(of: $0) }.filter { $0.mayNameItself }.map { options.addresses[$0.role].origin }
        let sender = AsyncHTTPSender(
            policy: try AddressPolicy(mode: options.configuration.mode, privateOrigins: isTest ? Set(counterparties) : []), tls: tls)
        var party = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // A listener that many strangers press lets a newcomer wait.
        party.timeout.connect = .seconds(15)
        party.tlsConfiguration = tls.configuration
        let trace = TraceWiring(options: options, sender: sender)
        let process = ServingProcess(
            configuration: options.configuration, addresses: options.addresses, folder: folder,
            stores: options.openStores(surroundings), mainStore: options.database, encryption: encryption,
            takesPlainKeys: isTest || options.plainKeys, outgoingRoots: roots, surroundings: surroundings, sender: sender,
            partyClient: HTTPClient(eventLoopGroupProvider: .singleton, configuration: party), trace: trace.buffer)
        return Shared(
            options: options, process: process, sender: sender, trace: trace,
            shutdownDeadline: ShutdownDeadline(
                limit: options.configuration.publicListener.limits.shutdownGrace + Self.shutdownMargin, logger: surroundings.logger),
            testClocks: testClocks)
    }
}

/// The servers that are ours to operate, and the console.
private struct OwnServers: Service {
    let shared: ServeComposition.Shared
    let sandboxIsUp: AsyncStream<Void>
    /// Of the sandbox's parties.
    let announcements: [String]

    func run() async throws {
        for await _ in sandboxIsUp {}
        var process = shared.process
        process.stores = shared.options.openStores(process.surroundings)
        let result = await Result { try await serve(process) }
        await process.stores.close()
        try result.get()
    }

    private func serve(_ process: ServingProcess) async throws {
        let parts = try await shared.begin(at: .ours, in: process)
        var listeners: [Listener] = []
        var workers = parts.flatMap(\.workers)
        var mainStore = parts.lazy.compactMap(\.console?.mainStore).first
        if parts.contains(where: { !$0.routes.isEmpty || !$0.sharedRoutes.isEmpty }) {
            listeners.append(shared.listener(process.configuration.publicListener, for: parts))
        }
        if shared.options.servesConsole {
            let console = try await ConsolePart.make(shared, in: process, beside: parts.compactMap(\.console))
            listeners.append(console.listener)
            workers += console.workers
            mainStore = console.mainStore
            if process.configuration.mode == .test { workers.append(ServedAddressesEnd(folder: process.folder)) }
        }
        if let mainStore, let control = shared.control(of: mainStore) { workers.append(control) }
        if listeners.isEmpty, workers.isEmpty {
            try? await gracefulShutdown()
            return
        }
        try await ServerGroup(
            listeners: listeners, workers: workers, surroundings: shared.surroundings, handlesSignals: false,
            onListening: announce(announcements + parts.flatMap(\.announcements)), onFailure: shared.endsWithFailure
        ).run()
    }

    /// Prints where a person can look, in which the console's line comes first: people and scripts wait for it.
    private func announce(_ others: [String]) -> ServerGroup.OnListening {
        let options = shared.options
        let listener = options.configuration.consoleListener
        let scheme = listener.tls == nil ? "http" : "https"
        let folder = URL(fileURLWithPath: options.dataFolder).standardizedFileURL.path
        let others = others + ["data:    \(folder)   keys and stores", "stop:    Ctrl-C, or SIGTERM"]
        return { name, port in
            guard name == "console" else { return }
            if options.configuration.mode == .test { shared.tellCommands() }
            let console = "console: \(scheme)://\(ListenAddress(host: listener.address.host, port: port))/"
            // Written at once, whatever stands behind standard output.
            FileHandle.standardOutput.write(Data(([console] + others).joined(separator: "\n").appending("\n").utf8))
        }
    }
}

extension Result where Failure == any Error {
    /// Holds what an operation came to, so that what it used can be closed before the error goes on.
    init(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
