import ArgumentParser
import BillfoldDiagnosis
import BillfoldServer
import Foundation
import Logging

/// The flags of `serve`, read and checked.
struct ServeOptions: Sendable {
    var configuration: ServerConfiguration
    var sandboxListener: ListenerConfiguration
    /// Parties that run in this process are found at this process's own listeners.
    var addresses: Addresses
    /// As their flags say, whether this process runs them or not.
    var capabilities: [any Capability]
    var dataFolder: String
    /// The installation's main store, in place of a file in the data folder.
    var database: String?
    /// Production may keep private keys unsealed.
    var plainKeys: Bool
    /// A PEM file of roots that other parties' certificates lead to, instead of the system's.
    var outgoingRoots: String?
    var logFormat: StructuredLogHandler.Format
    var logLevel: Logger.Level
    var scheduling: ThreadScheduling

    /// The capabilities that this process runs at a place, in the order in which they begin.
    func served(at place: CapabilityPlace) -> [any Capability] {
        capabilities.filter { type(of: $0).place == place && configuration.roles.contains(type(of: $0).role) }
    }

    /// Stores of the capabilities' kinds, of this process's mode.
    func openStores(_ surroundings: ServerSurroundings) -> OpenStores {
        let kinds = StoreKinds([Capabilities.mainStore] + capabilities.flatMap { type(of: $0).stores })
        return OpenStores { [mode = configuration.mode] kind, choice in
            try await StoreOpening.open(
                choice, mode: mode, kind: kind, among: kinds, clock: surroundings.clock, logger: surroundings.logger)
        }
    }

    var servesConsole: Bool { configuration.roles.contains(.console) }

    /// Refuses what could not be served, before anything is written, opened or asked of other parties: what files say that flags name, and
    /// addresses that are taken.
    func tryOut() async throws {
        for capability in capabilities { try capability.judgeFiles(for: configuration) }
        var listeners: [ListenerConfiguration] = []
        if !served(at: .sandbox).isEmpty { listeners.append(sandboxListener) }
        if !served(at: .ours).isEmpty { listeners.append(configuration.publicListener) }
        if servesConsole { listeners.append(configuration.consoleListener) }
        try await ListenerConfiguration.tryOut(listeners)
    }

    /// The same with no more connections than the process has file descriptors for, so that stores and calls to others never lack one.
    func sharing(descriptors: Int) -> Self {
        var options = self
        let most = DescriptorLimit.connections(of: descriptors, listeners: 3)
        func hold(_ listener: inout ListenerConfiguration) {
            listener.limits.maximumConnections = min(listener.limits.maximumConnections, most)
        }
        hold(&options.configuration.publicListener)
        hold(&options.configuration.consoleListener)
        hold(&options.sandboxListener)
        return options
    }
}

extension ServeCommand {
    /// Reads a command line, and the file that it names.
    static func options(from arguments: [String]) throws -> ServeOptions {
        let command = try parse(arguments)
        guard let file = command.config else { return try command.options() }
        let held = try ServeFile(ConfigurationFile.bytes(file)).arguments
        do { _ = try parse(held) } catch {
            throw CommandFailure.invalid("\(file): \(message(for: error))")
        }
        // Of a flag that is there twice the last counts.
        return try parse(held + arguments).options()
    }

    /// Refuses with `configuration-invalid` what cannot be served.
    func options() throws -> ServeOptions {
        let mode: ServerMode = try Self.choice(mode, "mode", among: "test or production")
        let format: StructuredLogHandler.Format = try Self.choice(log, "log format", among: "text or json")
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        let logLevel: Logger.Level = try Self.choice(logLevel, "level", among: levels)
        let scheduling: ThreadScheduling = try Self.choice(scheduling, "scheduling", among: "throughput or system")
        let roles =
            try roles.map { try ServerRole.list($0, among: Capabilities.roles) } ?? Capabilities.standardRoles(in: mode)
        guard mode == .test || roles.isDisjoint(with: Capabilities.roles(at: .sandbox)) else {
            throw CommandFailure.invalid("sandbox parties do not exist in production mode")
        }
        let tls: TLSIdentity?
        switch (tlsCertificate, tlsKey) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?): tls = TLSIdentity(certificateChainPath: certificate, privateKeyPath: key)
        default: throw CommandFailure.invalid("--tls-certificate and --tls-key come together")
        }
        let environment = ProcessInfo.processInfo.environment
        let proxies = try self.proxies()
        var consoleListener = ListenerConfiguration(
            name: "console", address: try Self.address(console, of: "--console"), tls: tls, trustedProxies: proxies)
        if let consoleOrigin {
            consoleListener.hosts = [try Self.host(of: consoleOrigin)]
            consoleListener.origins = [consoleOrigin]
        }
        let configuration = ServerConfiguration(
            mode: mode, roles: roles,
            publicListener: ListenerConfiguration(
                name: "public", address: try Self.address(listen, of: "--listen"), tls: tls, trustedProxies: proxies),
            consoleListener: consoleListener, consoleIsBehindTLS: consoleBehindTls, asksForSignIn: signIn,
            traceToken: environment["BILLFOLD_TRACE_TOKEN"].map { Secret($0) },
            metricsToken: environment["BILLFOLD_METRICS_TOKEN"].map { Secret($0) })
        try configuration.validate()
        var sandboxListener = ListenerConfiguration(name: "sandbox", address: try Self.address(sandbox, of: "--sandbox"))
        // Its parties ask each other all the time.
        sandboxListener.requestLogLevel = .debug
        // It stops after the servers that it plays the others for.
        sandboxListener.limits.shutdownGrace = .seconds(4)
        guard sandboxListener.address.isLoopback else {
            throw CommandFailure.invalid("the sandbox listens on loopback only: it has no sign-in")
        }
        let scheme = tls == nil ? "http" : "https"
        return ServeOptions(
            configuration: configuration, sandboxListener: sandboxListener,
            addresses: try addresses(
                ours: "\(scheme)://\(configuration.publicListener.address)", sandbox: "http://\(sandboxListener.address)",
                console: "\(scheme)://\(configuration.consoleListener.address)"),
            capabilities: capabilities.all, dataFolder: data, database: Capabilities.mainServer.named(database),
            plainKeys: plainKeys, outgoingRoots: outgoingRoots, logFormat: format, logLevel: logLevel, scheduling: scheduling)
    }

    /// Where every capability is: at this process's listeners, or where its flags say.
    private func addresses(ours: String, sandbox: String, console: String) throws -> Addresses {
        var addresses = Addresses()
        addresses[.console] = CapabilityAddress(consoleURL ?? console)
        for capability in capabilities.all {
            let standard =
                switch type(of: capability).place {
                case .ours: ours
                case .sandbox: sandbox
                }
            addresses[type(of: capability).role] = try capability.address(standard: standard)
        }
        for capability in capabilities.all { try capability.check(addresses) }
        return addresses
    }

    private static func choice<Value: RawRepresentable<String>>(_ text: String, _ what: String, among choices: String) throws -> Value {
        guard let value = Value(rawValue: text) else { throw CommandFailure.invalid("'\(text)' is no \(what); say \(choices)") }
        return value
    }

    private func proxies() throws -> TrustedProxies {
        guard let header = TrustedProxies.Header.allCases.first(where: { $0.rawValue.lowercased() == forwardedHeader.lowercased() }) else {
            throw CommandFailure.invalid("'\(forwardedHeader)' is no header that proxies name clients in; say X-Forwarded-For or Forwarded")
        }
        return try TrustedProxies(trustedProxy, header: header)
    }

    /// Where a listener is to be. A refusal names the flag.
    private static func address(_ text: String, of flag: String) throws -> ListenAddress {
        do throws(ServerError) { return try ListenAddress(text) } catch { throw CommandFailure.invalid("\(flag) \(error.reason)") }
    }

    /// The host that an origin names, in lower case.
    private static func host(of origin: String) throws -> String {
        guard let components = URLComponents(string: origin), ["http", "https"].contains(components.scheme), components.path.isEmpty,
            components.query == nil, components.user == nil, let host = components.host, !host.isEmpty
        else { throw CommandFailure.invalid("'\(origin)' is no origin; write https://console.example") }
        return host.lowercased()
    }
}
