import ArgumentParser
import BillfoldServer
import Foundation

/// `billfold serve`: runs the chosen roles in this process until it is asked to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run servers, sandbox parties and the console until stopped.",
        discussion: """
            By default everything runs on loopback, on a SQLite store in the data folder, in test mode. \
            Roles: card-payments, provisioning, alipay-gateway, alipay-plus, wallet, console, phone, shop, unionpay, certificates, broker, \
            card-network, card-processor, bank-app, alipay-merchant, mobile-wallets, acquirer, mini-program-author, super-app. \
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
    @Option(help: "The merchants to serve, JSON; see docs/production.md. Default in test mode: the sandbox's.") var merchants: String?
    @Option(
        help: "The issuer host's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ISSUER_DATABASE, then a file.")
    var issuerDatabase: String?
    @Option(help: "The wallet's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_WALLET_DATABASE, then a file.")
    var walletDatabase: String?
    @Option(help: "The bank to provision cards for, JSON; see docs/production.md. Default in test mode: the sandbox's.")
    var issuer: String?
    @Option(
        help: "The order gateway's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ALIPAY_DATABASE, then a file."
    )
    var alipayGatewayDatabase: String?
    @Option(help: "The order gateway's merchants and wallets, JSON. Default in test mode: the sandbox's, who register themselves.")
    var alipay: String?
    @Option(
        help:
            "The acquiring gateway's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ALIPAY_PLUS_DATABASE, then a file."
    )
    var alipayPlusDatabase: String?
    @Option(help: "The acquiring gateway's acquirers and wallets, JSON. Default in test mode: the sandbox's, who register themselves.")
    var alipayPlus: String?
    @Option(
        help: "What the wallet is told to take part in Alipay+, JSON. Default: in test mode the sandbox's, in production it takes no part.")
    var alipayPlusWallet: String?
    @Option(help: "What the wallet is told to host mini programs, JSON. Default: in test mode the sandbox's, in production it hosts none.")
    var superApp: String?
    @Flag(help: "In production, take private keys that are not sealed at rest.") var plainKeys = false
    @Flag(help: "Refuse to run mini programs' scripts where the system gives their processes no sandbox.") var requireWorkerSandbox = false
    @Option(help: "Comma-separated roles. Default: all in test mode; card-payments and console in production.") var roles: String?
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
    @Option(help: "The card-payments server, when it runs in another process.") var merchantURL: String?
    @Option(help: "The UnionPay gateway, when it runs in another process.") var unionpayURL: String?
    @Option(help: "The certificate office, when it runs in another process.") var certificatesURL: String?
    @Option(help: "The shop, when it runs in another process.") var shopURL: String?
    @Option(help: "The issuer's host for provisioning, when it runs in another process.") var issuerURL: String?
    @Option(help: "The wallet, when it runs in another process.") var walletURL: String?
    @Option(help: "The order gateway, when it runs in another process.") var alipayGatewayURL: String?
    @Option(help: "The acquiring gateway, when it runs in another process.") var alipayPlusURL: String?
    @Option(help: "The same as phones and browsers reach it. Default: --alipay-plus-url.") var alipayPlusPagesURL: String?
    @Option(help: "The sandbox's wallets, when they run in other processes: one origin, or TYPE=ORIGIN pairs between commas.")
    var mobileWalletsURL: String?
    @Option(help: "Which of the sandbox's wallets this process plays. Default: all.") var mobileWallets: String?
    @Option(help: "The sandbox's acquirer, when it runs in another process.") var acquirerURL: String?
    @Option(help: "Its merchant's pages as browsers reach them. Default: --acquirer-url.") var acquirerPagesURL: String?
    @Option(help: "The merchant of express orders, when it runs in another process.") var alipayMerchantURL: String?
    @Option(help: "The author of mini programs, as containers and browsers reach it, when it runs in another process.")
    var miniProgramAuthorURL: String?
    @Option(help: "The phones with the super app, as browsers reach them, when they run in another process.") var superAppURL: String?
    @Option(help: "The wallet's broker, when it runs in another process.") var brokerURL: String?
    @Option(help: "The card network, when it runs in another process.") var cardNetworkURL: String?
    @Option(help: "The card processor, when it runs in another process.") var cardProcessorURL: String?
    @Option(help: "The bank's app, when it runs in another process.") var bankAppURL: String?
    @Option(help: "In test mode, the HTTPS origin that gives web merchant sessions.") var applePayURL: String?
    @Option(help: "Roots that other parties' TLS certificates lead to, PEM, instead of the system's.") var outgoingRoots: String?
    @Option(help: "Log lines for people (text) or programs (json).") var log = "text"
    @Option(help: "The least level of log lines: debug tells every message of the sandbox's parties.") var logLevel = "info"
    @Option(
        help: "How a busy processor is shared on Linux: throughput (threads take turns), or system (one that becomes ready may interrupt).")
    var scheduling = ThreadScheduling.throughput.rawValue

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
