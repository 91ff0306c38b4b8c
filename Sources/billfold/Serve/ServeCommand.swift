import ArgumentParser
import BillfoldServer
import Foundation

/// `billfold serve`: runs the chosen roles in this process until it is asked to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run servers, sandbox parties and the console until stopped.",
        discussion: """
            By default everything runs on loopback, on a SQLite store in the data folder, in test mode. \
            Roles: \(Capabilities.roles.map(\.rawValue).joined(separator: ", ")). \
            Processes that each run some of the roles find each other through the --…-url flags. \
            In test mode the processes of one data folder live at one time, which PUT /clock on the sandbox's listener moves \
            forward: {"advanceSeconds": 600}. \
            In production everybody signs in at the console, on loopback too, and other processes report to it with the token in the \
            environment's BILLFOLD_TRACE_TOKEN, which all of them share; BILLFOLD_METRICS_TOKEN lets a program read /metrics. \
            Behind proxies, name each with --trusted-proxy: callers are then told apart by the address that it writes.
            """)

    @Option(
        help:
            "A JSON file of these flags, each a member without its dashes, as in {\"listen\": \"0.0.0.0:443\"}. The command line goes before it."
    )
    var config: String?
    @Option(help: "Where the public API listens.") var listen = "127.0.0.1:8080"
    @Option(help: "Where the console listens.") var console = "127.0.0.1:8081"
    @Option(help: "Where the sandbox parties listen; loopback only.") var sandbox = "127.0.0.1:8082"
    @Option(
        help:
            "A SQLite file, or a PostgreSQL connection string. Default: the environment variable BILLFOLD_DATABASE, then a file in the data folder."
    )
    var database: String?
    @Option(help: "The folder for keys and local stores.") var data = ".billfold"
    @Flag(help: "In production, take private keys that are not sealed at rest.") var plainKeys = false
    @Option(help: "Comma-separated roles. Default: all in test mode; \(Capabilities.mainServer.role) and console in production.")
    var roles: String?
    @Option(help: "The certificate chain of the public API and the console, PEM; exchanged while serving when its file changes.")
    var tlsCertificate: String?
    @Option(help: "Its private key, PEM, in a file that its owner alone can read.") var tlsKey: String?
    @Flag(help: "Something in front of the console ends TLS; everybody signs in, and its cookies are taken without TLS from it.")
    var consoleBehindTls = false
    @Option(help: "Where browsers reach the console when that is elsewhere than it listens: an origin such as https://console.example.")
    var consoleOrigin: String?
    @Option(
        help:
            "A proxy in front of the public API and the console, whose word is taken for whom it brings: an address or a network. Repeatable."
    )
    var trustedProxy: [String] = []
    @Option(help: "The header in which trusted proxies name the client, and the only one that is read: X-Forwarded-For or Forwarded.")
    var forwardedHeader = TrustedProxies.Header.xForwardedFor.rawValue
    @Option(help: "test or production. A store keeps the mode it was made in.") var mode = "test"
    @Flag(help: "In test mode too, whoever does more than look at the console has to sign in, and approvals take two persons.")
    var signIn = false
    @Option(help: "The console to report to, when it runs in another process.") var consoleURL: String?
    @Option(help: "Roots that other parties' TLS certificates lead to, PEM, instead of the system's.") var outgoingRoots: String?
    @Option(help: "Log lines for people (text) or programs (json).") var log = "text"
    @Option(help: "The least level of log lines: debug tells every message of the sandbox's parties.") var logLevel = "info"
    @Option(
        help: "How a busy processor is shared on Linux: throughput (threads take turns), or system (one that becomes ready may interrupt).")
    var scheduling = ThreadScheduling.throughput.rawValue

    @OptionGroup var capabilities: Capabilities

    @Flag(help: .hidden) var untilInputEnds = false

    func run() async throws {
        if untilInputEnds { Self.stopWhenInputEnds() }
        var isJSON = log == "json"
        do {
            let arguments = CommandLine.arguments.drop { $0 != Self._commandName }.dropFirst()
            let options = try Self.options(from: Array(arguments))
            isJSON = options.logFormat == .json
            try await ServeComposition(options: options).run()
        } catch {
            throw CommandFailure(error).report(asJSON: isJSON, to: .standardError)
        }
    }

    /// A program that started this one holds the other end of standard input, and is gone when that ends.
    private static func stopWhenInputEnds() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            kill(getpid(), SIGTERM)
        }
    }
}
