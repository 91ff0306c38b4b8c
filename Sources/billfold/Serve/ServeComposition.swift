import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import CWipeOnFree
import CardPaymentsServer
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

    /// What a role adds to the process.
    struct Part: Sendable {
        var listeners: [Listener] = []
        /// What the part serves on the public listener, which the parts of a process share.
        var publicRoutes: [@Sendable (Router<ServerRequestContext>) -> Void] = []
        /// What these routes refuse, as callers see it.
        var errors: @Sendable (ErrorMapping) -> ErrorMapping = { $0 }
        /// In bytes, of what one of these routes takes. Each route has a limit of its own; the listener's is for all.
        var largestBody = 0
        /// Paths of these routes that read too large a body to its end, with the bytes that they are sent at most.
        var drainedBodies: [String: Int] = [:]
        /// In bytes, of the longest address that one of these routes takes.
        var longestAddress = 0
        /// Names of ours that the public listener answers for on loopback.
        var publicHosts: Set<String> = []
        var workers: [any Service] = []
        /// What is closed when everything has stopped.
        var closing: [@Sendable () async throws -> Void] = []
        /// The store of the orders, and their back office, for the console of the same process.
        var orders: (database: any Database, office: CardPaymentsBackOffice)?
        /// What the part shows and lets people do at the console of the same process.
        var console: ConsoleShare?
    }

    /// What a server adds to the console of its process.
    struct ConsoleShare: Sendable {
        var desks: [any ConsoleDesk] = []
        var notices: [UnmatchedNoticeOffice] = []
        /// By the kind of approval.
        var actions: [String: ApprovalAction] = [:]
        /// Where its audit chains are, and whose.
        var chains: (database: any Database, owners: [BillfoldPayments.MerchantID])?
    }

    /// What every part is given.
    struct Shared: Sendable {
        var options: ServeOptions
        var folder: DataFolder
        /// Seals keys at rest, where the environment names a key for it.
        var encryption: KeyEncryption?
        /// Believed instead of the system's roots when we connect to other parties, PEM.
        var outgoingRoots: [UInt8]?
        var surroundings: ServerSurroundings
        var sender: AsyncHTTPSender
        /// What the sandbox's parties connect with.
        var partyClient: HTTPClient
        var trace: TraceWiring
        /// Ends the process a while after a signal, whatever still runs.
        var shutdownDeadline: ShutdownDeadline
        /// What a failure of a server does: the process ends, and with an error.
        var endsWithFailure: @Sendable () -> Void {
            { [shutdownDeadline] in shutdownDeadline.begin(status: CommandFailure.Kind.ourFault.rawValue) }
        }
        /// The clock of ``surroundings``, in test mode.
        var movableClock: MovableClock?
    }

    func run() async throws {
        Self.leaveNoCore()
        let descriptors = DescriptorLimit.raise()
        let shared = try await makeShared(descriptors)
        shared.shutdownDeadline.watch()
        let result = await Result { try await serve(shared) }
        try? await shared.partyClient.shutdown()
        try? await shared.sender.shutdown()
        shared.shutdownDeadline.cancel()
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
        let sandbox = options.sandboxRoles.isEmpty ? nil : try await SandboxPart.make(shared)
        let (isUp, up) = AsyncStream.makeStream(of: Void.self)
        var services: [any Service] = [TraceForwardingService(shared.trace.forwarder)]
        if let clock = shared.movableClock {
            services.append(ClockFollower(clock: clock, logger: shared.surroundings.logger))
        }
        if let sandbox {
            services.append(
                ServerGroup(
                    listeners: sandbox.listeners, workers: sandbox.workers, surroundings: shared.surroundings, handlesSignals: false,
                    onListening: { _, _ in up.finish() }, onFailure: shared.endsWithFailure))
            shared.shutdownDeadline.closeFirst(sandbox.closing)
        } else {
            up.finish()
        }
        services.append(OwnServers(shared: shared, sandboxIsUp: isUp))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: shared.surroundings.logger))
        let result = await Result { try await group.run() }
        for close in sandbox?.closing ?? [] { try? await close() }
        try result.get()
    }

    /// What is left to workers and stores once the listeners' grace is over.
    private static let shutdownMargin: Duration = .seconds(5)

    private func makeShared(_ descriptors: Int) async throws -> Shared {
        let options = options.sharing(descriptors: descriptors)
        let isTest = options.configuration.mode == .test
        let encryption = try KeyEncryptionKey.encryption()
        guard isTest || encryption != nil || options.plainKeys else {
            throw CommandFailure(
                .usage, code: "keys-not-sealed",
                reason: "name a key-encryption key's file in \(KeyEncryptionKey.variable), or say --plain-keys")
        }
        let folder = try DataFolder(options.dataFolder, encryption: encryption)
        let movableClock = isTest ? try await MovableClock(base: SystemClock(), offset: FolderClockOffset(folder)) : nil
        let clock: any WallClock = movableClock ?? SystemClock()
        let (format, level) = (options.logFormat, options.logLevel)
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: format, level: level, clock: clock) }
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), metrics: metrics, clock: clock, uptime: { ContinuousClock.now - start })
        if !isTest, !billfold_refuse_core_dumps() {
            surroundings.logger.warning("a core dump of this process would hold keys, and this system writes them: turn it off there")
        }
        if !isTest, !options.servesConsole, options.configuration.traceToken == nil {
            surroundings.logger.warning("without BILLFOLD_TRACE_TOKEN no console takes what this process reports")
        }
        if !options.scheduling.apply() {
            surroundings.logger.warning("the system lets no thread be scheduled for throughput")
        }
        let addresses = options.addresses
        let roots = try options.outgoingRoots.map { try ConfigurationFile.bytes($0) }
        let tls = try OutgoingTLS(roots: roots)
        // Clients come last: they must be shut down once they are made.
        let sender = AsyncHTTPSender(
            policy: try AddressPolicy(
                mode: options.configuration.mode, privateOrigins: isTest ? [addresses.merchant, addresses.unionPay, addresses.shop] : []),
            tls: tls)
        var party = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // A listener that many strangers press lets a newcomer wait.
        party.timeout.connect = .seconds(15)
        party.tlsConfiguration = tls.configuration
        return Shared(
            options: options, folder: folder, encryption: encryption, outgoingRoots: roots, surroundings: surroundings, sender: sender,
            partyClient: HTTPClient(eventLoopGroupProvider: .singleton, configuration: party),
            trace: TraceWiring(options: options, sender: sender),
            shutdownDeadline: ShutdownDeadline(
                limit: options.configuration.publicListener.limits.shutdownGrace + Self.shutdownMargin, logger: surroundings.logger),
            movableClock: movableClock)
    }
}

/// The servers that are ours to operate: the card-payments server, the issuer's host, the wallet and the console.
private struct OwnServers: Service {
    let shared: ServeComposition.Shared
    let sandboxIsUp: AsyncStream<Void>

    func run() async throws {
        for await _ in sandboxIsUp {}
        var parts: [ServeComposition.Part] = []
        let result = await Result {
            for capability in Capability.all where shared.options.configuration.roles.contains(capability.role) {
                parts.append(try await capability.make(shared))
            }
            let own = publicListener(parts)
            if shared.options.servesConsole {
                parts.append(try await ConsolePart.make(shared, beside: parts))
            }
            shared.shutdownDeadline.closeFirst(parts.flatMap(\.closing))
            if parts.isEmpty {
                try? await gracefulShutdown()
                return
            }
            try await ServerGroup(
                listeners: own + parts.flatMap(\.listeners), workers: parts.flatMap(\.workers), surroundings: shared.surroundings,
                handlesSignals: false, onListening: announce(), onFailure: shared.endsWithFailure
            ).run()
        }
        for close in parts.flatMap(\.closing) { try? await close() }
        try result.get()
    }

    /// One listener for what the parts of this process serve to the public, and none where that is nothing.
    private func publicListener(_ parts: [ServeComposition.Part]) -> [Listener] {
        let routes = parts.flatMap(\.publicRoutes)
        guard !routes.isEmpty else { return [] }
        var (surroundings, listener) = (shared.surroundings, shared.options.configuration.publicListener)
        for part in parts { surroundings.errors = part.errors(surroundings.errors) }
        listener.limits.maximumBodyBytes = max(listener.limits.maximumBodyBytes, parts.map(\.largestBody).max() ?? 0)
        for part in parts { listener.limits.drainedBodies.merge(part.drainedBodies, uniquingKeysWith: max) }
        if let longest = parts.map(\.longestAddress).max(), longest > 0 { listener.limits.maximumHeaderBytes += longest }
        // On loopback a server answers for the machine's own names alone; a proxy before it sends the merchants' names.
        if listener.address.isLoopback { listener.hosts.formUnion(parts.flatMap(\.publicHosts)) }
        let router = surroundings.router(for: listener)
        for add in routes { add(router) }
        return [Listener(listener, router: router, logger: surroundings.logger)]
    }

    /// Prints where a person can look, in which the console's line comes first: people and scripts wait for it.
    private func announce() -> ServerGroup.OnListening {
        let options = shared.options
        let listener = options.configuration.consoleListener
        let scheme = listener.tls == nil ? "http" : "https"
        var others: [String] = []
        if options.configuration.roles.contains(.shop) { others.append("shop:    \(options.addresses.shop)/shop") }
        if options.servesMerchant { others.append("API:     \(options.addresses.merchant)/   described in docs/openapi") }
        others.append("data:    \(URL(fileURLWithPath: options.dataFolder).standardizedFileURL.path)   keys and stores")
        others.append("stop:    Ctrl-C, or SIGTERM")
        return { [others] name, port in
            guard name == "console" else { return }
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
