import ArgumentParser
import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldServer
import Foundation
import Logging

/// The flags of `serve`, read and checked.
struct ServeOptions: Sendable {
    /// Where the parties find each other. Parties that run in this process are found at this process's own listeners.
    struct Addresses: Sendable {
        var merchant: String
        var unionPay: String
        var certificates: String
        var shop: String
        var phone: String
        var console: String
        /// The issuer's host for provisioning.
        var issuer: String
        /// The wallet: its app's pages and the cashier.
        var wallet: String
        /// The order gateway.
        var alipayGateway: String
        /// The acquiring gateway and its payment sheet.
        var alipayPlus: String
        /// The same as phones and browsers reach it.
        var alipayPlusPages: String
        /// The wallets of the payment sheet, by `paymentMethodType`.
        var mobileWallets: [String: String]
        /// The acquirer of the payment sheet, as the gateway reaches it.
        var acquirer: String
        /// Its merchant's app and till, as browsers reach them.
        var acquirerPages: String
        /// The merchant of express orders: its app on a phone and its server.
        var alipayMerchant: String
        /// The author of mini programs: its server, and the pages of its own.
        var miniProgramAuthor: String
        /// The phones that run the super app, as browsers reach them.
        var superApp: String
        var broker: String
        /// Origins: what the network takes lies under `/card-network`, the processor's interface under `/processor`.
        var cardNetwork: String
        var cardProcessor: String
        var bankApp: String
    }

    var configuration: ServerConfiguration
    var sandboxListener: ListenerConfiguration
    var addresses: Addresses
    var dataFolder: String
    var database: String?
    /// The issuer host's store, in place of a file in the data folder.
    var issuerDatabase: String?
    /// The wallet's store, in place of a file in the data folder.
    var walletDatabase: String?
    /// The wallet's file for mini programs.
    var superApp: String?
    /// The issuer's file.
    var issuer: String?
    /// The order gateway's store, in place of a file in the data folder.
    var alipayDatabase: String?
    /// The order gateway's file.
    var alipay: String?
    /// The acquiring gateway's store, in place of a file in the data folder.
    var alipayPlusDatabase: String?
    /// The acquiring gateway's file.
    var alipayPlus: String?
    /// The wallet's file for taking part in Alipay+.
    var alipayPlusWallet: String?
    /// The wallets of the payment sheet that this process plays, by `paymentMethodType`.
    var mobileWallets: [String]
    /// The merchants' file.
    var merchants: String?
    /// Production may keep private keys unsealed.
    var plainKeys: Bool
    /// Mini programs' scripts run in a sandbox of the system's or not at all.
    var requiresWorkerSandbox: Bool
    /// A PEM file of roots that other parties' certificates lead to, instead of the system's.
    var outgoingRoots: String?
    /// Where web sessions come from in test mode: an origin.
    var applePay: String?
    var logFormat: StructuredLogHandler.Format
    var logLevel: Logger.Level
    var scheduling: ThreadScheduling

    var sandboxRoles: Set<ServerRole> { configuration.roles.intersection(ServerRole.sandbox) }
    var servesMerchant: Bool { configuration.roles.contains(.cardPayments) }
    var servesAlipayPlus: Bool { configuration.roles.contains(.alipayPlus) }
    var servesConsole: Bool { configuration.roles.contains(.console) }

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
            throw usage("\(file): \(message(for: error))")
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
        let defaults = mode == .test ? Set(ServerRole.all) : [.cardPayments, .console]
        let roles = try roles.map { try ServerRole.list($0) } ?? defaults
        let tls: TLSIdentity?
        switch (tlsCertificate, tlsKey) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?): tls = TLSIdentity(certificateChainPath: certificate, privateKeyPath: key)
        default: throw Self.usage("--tls-certificate and --tls-key come together")
        }
        let environment = ProcessInfo.processInfo.environment
        let proxies = try self.proxies()
        var consoleListener = ListenerConfiguration(name: "console", address: try ListenAddress(console), tls: tls, trustedProxies: proxies)
        if let consoleOrigin {
            consoleListener.hosts = [try Self.host(of: consoleOrigin)]
            consoleListener.origins = [consoleOrigin]
        }
        let configuration = ServerConfiguration(
            mode: mode, roles: roles,
            publicListener: ListenerConfiguration(name: "public", address: try ListenAddress(listen), tls: tls, trustedProxies: proxies),
            consoleListener: consoleListener, consoleIsBehindTLS: consoleBehindTls, asksForSignIn: signIn,
            traceToken: environment["BILLFOLD_TRACE_TOKEN"].map { Secret($0) },
            metricsToken: environment["BILLFOLD_METRICS_TOKEN"].map { Secret($0) })
        try configuration.validate()
        var sandboxListener = ListenerConfiguration(name: "sandbox", address: try ListenAddress(sandbox))
        // Its parties ask each other all the time.
        sandboxListener.requestLogLevel = .debug
        // It stops after the servers that it plays the others for.
        sandboxListener.limits.shutdownGrace = .seconds(4)
        guard sandboxListener.address.isLoopback else { throw Self.usage("the sandbox listens on loopback only: it has no sign-in") }
        let scheme = tls == nil ? "http" : "https"
        let (author, phones) = (miniProgramAuthorURL ?? Self.besides("http://\(sandboxListener.address)"), superAppURL)
        guard author != phones ?? "http://\(sandboxListener.address)" else {
            throw Self.usage(
                "--mini-program-author-url and --super-app-url are one origin: a mini program's page could reach into the phone")
        }
        let merchant = merchantURL ?? "\(scheme)://\(configuration.publicListener.address)"
        let party = "http://\(sandboxListener.address)"
        return ServeOptions(
            configuration: configuration, sandboxListener: sandboxListener,
            addresses: .init(
                merchant: merchant, unionPay: unionpayURL ?? party, certificates: certificatesURL ?? party, shop: shopURL ?? party,
                phone: party, console: consoleURL ?? "\(scheme)://\(configuration.consoleListener.address)",
                issuer: issuerURL ?? "\(scheme)://\(configuration.publicListener.address)",
                wallet: walletURL ?? "\(scheme)://\(configuration.publicListener.address)",
                alipayGateway: alipayGatewayURL ?? "\(scheme)://\(configuration.publicListener.address)",
                alipayPlus: alipayPlusURL ?? "\(scheme)://\(configuration.publicListener.address)",
                alipayPlusPages: alipayPlusPagesURL ?? alipayPlusURL ?? "\(scheme)://\(configuration.publicListener.address)",
                mobileWallets: try Self.wallets(at: mobileWalletsURL, else: party), acquirer: acquirerURL ?? party,
                acquirerPages: acquirerPagesURL ?? acquirerURL ?? party,
                alipayMerchant: alipayMerchantURL ?? party, miniProgramAuthor: author,
                superApp: phones ?? party, broker: brokerURL ?? party,
                cardNetwork: cardNetworkURL ?? party, cardProcessor: cardProcessorURL ?? party,
                bankApp: bankAppURL ?? party),
            dataFolder: data, database: database ?? ProcessInfo.processInfo.environment["BILLFOLD_DATABASE"],
            issuerDatabase: issuerDatabase ?? ProcessInfo.processInfo.environment["BILLFOLD_ISSUER_DATABASE"],
            walletDatabase: walletDatabase ?? ProcessInfo.processInfo.environment["BILLFOLD_WALLET_DATABASE"],
            superApp: superApp, issuer: issuer,
            alipayDatabase: alipayGatewayDatabase ?? ProcessInfo.processInfo.environment["BILLFOLD_ALIPAY_DATABASE"],
            alipay: alipay,
            alipayPlusDatabase: alipayPlusDatabase ?? ProcessInfo.processInfo.environment["BILLFOLD_ALIPAY_PLUS_DATABASE"],
            alipayPlus: alipayPlus, alipayPlusWallet: alipayPlusWallet, mobileWallets: try Self.wallets(named: mobileWallets),
            merchants: merchants,
            plainKeys: plainKeys, requiresWorkerSandbox: requireWorkerSandbox, outgoingRoots: outgoingRoots, applePay: applePayURL,
            logFormat: format,
            logLevel: logLevel, scheduling: scheduling)
    }

    private static func choice<Value: RawRepresentable<String>>(_ text: String, _ what: String, among choices: String) throws -> Value {
        guard let value = Value(rawValue: text) else { throw usage("'\(text)' is no \(what); say \(choices)") }
        return value
    }

    private func proxies() throws -> TrustedProxies {
        guard let header = TrustedProxies.Header.allCases.first(where: { $0.rawValue.lowercased() == forwardedHeader.lowercased() }) else {
            throw Self.usage("'\(forwardedHeader)' is no header that proxies name clients in; say X-Forwarded-For or Forwarded")
        }
        return try TrustedProxies(trustedProxy, header: header)
    }

    /// The host that an origin names, in lower case.
    private static func host(of origin: String) throws -> String {
        guard let components = URLComponents(string: origin), ["http", "https"].contains(components.scheme), components.path.isEmpty,
            components.query == nil, components.user == nil, let host = components.host, !host.isEmpty
        else { throw usage("'\(origin)' is no origin; write https://console.example") }
        return host.lowercased()
    }

    /// Which wallets are played: all of them where none is named.
    private static func wallets(named text: String?) throws -> [String] {
        guard let text else { return MobileWallet.types }
        return try text.split(separator: ",").map { name in
            guard MobileWallet.types.contains(String(name)) else {
                throw usage("'\(name)' is no wallet of the sandbox; they are \(MobileWallet.types.joined(separator: ", "))")
            }
            return String(name)
        }
    }

    /// Where each wallet is: at one origin, or at those that are named as `TYPE=ORIGIN` and the others at this process's own listener.
    private static func wallets(at text: String?, else party: String) throws -> [String: String] {
        let isList = text?.contains("=") ?? false
        var origins = Dictionary(uniqueKeysWithValues: MobileWallet.types.map { ($0, isList ? party : text ?? party) })
        for pair in isList ? text?.split(separator: ",") ?? [] : [] {
            let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2, origins[halves[0]] != nil else { throw usage("'\(pair)' is no wallet's address; say TYPE=ORIGIN") }
            origins[halves[0]] = halves[1]
        }
        return origins
    }

    /// The same listener under another name: browsers keep what comes from it apart from the pages of the first. A mini program's page lies
    /// in a frame of the phone's, and must not reach into it.
    private static func besides(_ party: String) -> String {
        for name in ["127.0.0.1", "[::1]"] where party.contains("//\(name):") {
            return party.replacing("//\(name):", with: "//localhost:")
        }
        return party.replacing("//localhost:", with: "//127.0.0.1:")
    }

    private static func usage(_ reason: String) -> CommandFailure { CommandFailure(.usage, code: "configuration-invalid", reason: reason) }
}
