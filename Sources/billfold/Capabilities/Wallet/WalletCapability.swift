import ArgumentParser
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import Crypto
import Foundation
import MiniPrograms
import PaymentCrypto
import WalletServer

extension ServerRole {
    /// A wallet's app and its cashier.
    static let wallet: Self = "wallet"
}

extension StoreKind {
    static let wallet = Self(
        name: "wallet", owner: "the wallet", own: WalletServer.migrations,
        check: { links in
            (try? MerchantID(WalletCapability.owner)).map { WalletServer.check(links: links, owner: $0) } ?? BooksCheck(links: links)
        })
}

/// The wallet and its cashier on the public listener.
struct WalletCapability: ServerCapability, ParsableArguments {
    static let role = ServerRole.wallet
    static let journey: Journey? = .miniProgram
    static let stores = [StoreKind.wallet]
    /// Its store in the data folder: not the merchants', whose outbox has other messages.
    static let fileName = "wallet.sqlite"
    static let databaseVariable = "BILLFOLD_WALLET_DATABASE"
    /// Under whose name the wallet books.
    static let owner = "wallet"
    /// The scheme of the sandbox's shop on a phone.
    static let shopScheme = "billfoldshop"
    /// In test mode without a file: the scheme of links that open mini programs, and the host in printed codes.
    static let linkScheme = "billfoldwallet"
    static let codeHost = "mp.billfold.example"

    @Option(help: "The wallet's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_WALLET_DATABASE, then a file.")
    var walletDatabase: String?
    @Option(
        help: "What the wallet is told to take part in Alipay+, JSON. Default: in test mode the sandbox's, in production it takes no part.")
    var alipayPlusWallet: String?
    @Option(help: "What the wallet is told to host mini programs, JSON. Default: in test mode the sandbox's, in production it hosts none.")
    var superApp: String?
    @Option(name: .customLong("wallet-url"), help: "The wallet, when it runs in another process.") var url: String?

    /// What the wallet and the gateway know each other by. In test mode whoever comes first makes the keys; in production the operators
    /// exchange them.
    enum LinkKey: String {
        case toGateway = "wallet-link.key"
        case fromGateway = "gateway-link.key"

        func load(_ folder: DataFolder, _ mode: ServerMode) throws -> Secret<String> {
            guard mode == .test || folder.bytes(rawValue) != nil else {
                throw CommandFailure.invalid("production needs \(folder.path(rawValue)) from the gateway")
            }
            return try folder.bearer(rawValue)
        }
    }

    func guides(in process: ServingProcess) throws -> [ConnectGuide] {
        guard superApp == nil else { return [] }
        return [
            .author(
                wallet: process.addresses[.wallet].origin, phone: process.addresses[.superApp].origin + "/super-app/",
                key: try process.folder.bearer(Self.superAppOnboardingKey))
        ]
    }

    func judgeFiles(for configuration: ServerConfiguration) throws {
        guard configuration.roles.contains(Self.role) else { return }
        _ = try (alipayPlusWalletFile(), superAppFile())
    }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let surroundings = process.surroundings
        let file = try superAppFile(process)
        let configuration = try configuration(process, file)
        try configuration.validate()
        let database = try await process.store(
            .wallet, at: Self.named(walletDatabase), file: Self.fileName, flag: "--wallet-database")
        let server = try WalletServer(
            configuration: configuration, database: database, http: process.sender, trace: process.trace,
            identifiers: .system, random: SystemRandomness.source, surroundings: surroundings)
        let store = surroundings.watch(database, named: "wallet database")
        try await server.backOffice.openDemoAccounts()
        for workspace in file?.workspaces ?? [] { try await server.backOffice.miniPrograms?.register(workspace, by: "system") }
        var part = CapabilityPart()
        part.routes = [{ server.addRoutes(to: $0) }]
        part.errors = { $0.withWallet() }
        part.largestBody = server.largestBody
        part.foreignForms = WalletServer.foreignForms
        part.longestAddress = WalletServer.longestAddress
        // The sandbox's author publishes at each start, when what a person reads is on the screen already.
        if process.mode == .test { part.quietRoutes = ["/mini-programs/v1/author/"] }
        part.workers = server.workers + [store]
        var console = ConsoleShare()
        console.desks = (server.backOffice.miniPrograms.map { [MiniProgramConsole($0)] } ?? []) + [WalletConsole(server.backOffice)]
        (console.notices, console.actions) = ([server.notices], server.actions.all)
        console.chains = (database, [server.owner])
        part.console = console
        return part
    }

    private func configuration(_ process: ServingProcess, _ file: SuperAppFile?) throws -> WalletConfiguration {
        var configuration = try Self.configuration(process.folder, process.mode, gateway: process.addresses[.alipayGateway].origin)
        if process.mode == .test {
            configuration.demoCustomers = DemoCustomer.all
            configuration.console = process.addresses[.console].origin
            configuration.openers = [
                Self.shopScheme: "\(process.addresses[.alipayMerchant].origin)/alipay-shop/open",
                SuperAppPhone.scheme: "\(process.addresses[.superApp].origin)/super-app/open",
            ]
            configuration.loginScale = 20
        }
        configuration.alipayPlus = try alipayPlus(process)
        configuration.superApp = try file.map { try hosting($0, process) }
        return configuration
    }

    /// The wallet as one of the payment sheet's: by its file, or in test mode without one as `ALIPAY_CN` of the acquiring gateway that there is
    /// in this process or at an address of its own.
    private func alipayPlus(_ process: ServingProcess) throws -> WalletConfiguration.AlipayPlus? {
        let addresses = process.addresses
        if let file = try alipayPlusWalletFile() {
            var side = WalletConfiguration.AlipayPlus(
                clientID: file.clientID, pspID: file.pspID, key: try process.folder.rsaSigner(AlipayPlusKeys.wallet),
                gateway: file.gateway, gatewayKeys: file.gatewayKeys, origin: file.origin)
            (side.keyVersion, side.limits) = (file.keyVersion, file.limits)
            return side
        }
        guard process.mode == .test, process.runs(.alipayPlus) || addresses[.alipayPlus].origin != addresses[.wallet].origin else {
            return nil
        }
        return WalletConfiguration.AlipayPlus(
            clientID: "SANDBOX_MPP_ALIPAY_CN", pspID: "1022166000000000001",
            key: try process.folder.rsaSigner(AlipayPlusKeys.wallet), gateway: addresses[.alipayPlus].origin,
            origin: addresses[.wallet].origin,
            enrolment: .init(
                bearer: try process.folder.bearer(AlipayPlusCapability.onboardingKey), type: "ALIPAY_CN",
                brand: "Alipay", region: "CN", codeIssuer: "281005"))
    }

    private func alipayPlusWalletFile() throws -> AlipayPlusWalletFile? {
        try alipayPlusWallet.map { try ConfigurationFile.read($0) { try AlipayPlusWalletFile($0) } }
    }

    private func superAppFile() throws -> SuperAppFile? {
        try superApp.map { try ConfigurationFile.read($0) { try SuperAppFile($0) } }
    }

    /// What authors of the sandbox and their servers register themselves with.
    static let superAppOnboardingKey = "super-app-onboarding.key"
    /// What the wallet is told to host mini programs: its file, or in test mode without one the sandbox's, whose authors register themselves.
    private func superAppFile(_ process: ServingProcess) throws -> SuperAppFile? {
        if let file = try superAppFile() { return file }
        guard process.mode == .test else { return nil }
        return try SuperAppFile(
            Array(
                """
                {"origin":"\(process.addresses[.wallet].origin)","name":"ALIPAY_CN","scheme":"\(Self.linkScheme)","codeHost":"\(Self.codeHost)",\
                "workspaces":[{"workspaceId":"wallet","kind":"LOCAL_MINI_PROGRAM","name":"Wallet"},\
                {"workspaceId":"connect","kind":"ALIPAY_CONNECT","name":"Connect"}]}
                """.utf8))
    }

    /// The wallet as a super app, its keys made when they are first asked for.
    private func hosting(_ file: SuperAppFile, _ process: ServingProcess) throws -> WalletConfiguration.SuperApp {
        var side = WalletConfiguration.SuperApp(
            origin: file.origin, name: file.name, scheme: file.scheme, codeHost: file.codeHost,
            key: try process.folder.rsaSigner("super-app"),
            packageKey: try process.folder.rsaSigner("mini-program-platform"), packageKeyID: KeyID(file.packageKeyID),
            packageAlgorithm: .rsaPKCS1SHA256)
        (side.keyVersion, side.scopes, side.lifetimes) = (file.keyVersion, file.scopes, file.lifetimes)
        if process.mode == .test {
            side.onboardingKey = try process.folder.bearer(Self.superAppOnboardingKey)
            side.clientsClock = SystemClock()
        }
        return side
    }

    /// What the wallet of a data folder is composed from.
    static func configuration(_ folder: DataFolder, _ mode: ServerMode, gateway origin: String) throws -> WalletConfiguration {
        WalletConfiguration(
            mode: mode, owner: try MerchantID(owner), currency: try BillfoldMoney.Currency("CNY"),
            keys: .init(
                audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
                hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal())),
            gateway: .init(
                origin: origin, credential: try LinkKey.toGateway.load(folder, mode), callerKey: try LinkKey.fromGateway.load(folder, mode))
        )
    }
}
