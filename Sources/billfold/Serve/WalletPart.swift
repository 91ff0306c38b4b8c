import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Crypto
import Foundation
import MiniPrograms
import PaymentCrypto
import WalletServer

/// The wallet and its cashier on the public listener.
enum WalletPart {
    /// Its store in the data folder: not the merchants', whose outbox has other messages.
    static let fileName = "wallet.sqlite"
    /// Under whose name the wallet books.
    static let owner = "wallet"
    /// The scheme of the sandbox's shop on a phone.
    static let shopScheme = "billfoldshop"
    /// In test mode without a file: the scheme of links that open mini programs, and the host in printed codes.
    static let linkScheme = "billfoldwallet"
    static let codeHost = "mp.billfold.example"

    /// What the wallet and the gateway know each other by. In test mode whoever comes first makes the keys; in production the operators
    /// exchange them.
    enum LinkKey: String {
        case toGateway = "wallet-link.key"
        case fromGateway = "gateway-link.key"

        func load(_ folder: DataFolder, _ mode: ServerMode) throws -> Secret<String> {
            let bytes = try folder.secret(rawValue) {
                guard mode == .test else {
                    throw CommandFailure(
                        .usage, code: "configuration-invalid", reason: "production needs \(folder.path(rawValue)) from the gateway")
                }
                return Array("wk_test_\(SystemRandomness.name())\(SystemRandomness.name())".utf8)
            }
            return Secret(String(decoding: bytes.reveal(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let surroundings = shared.surroundings
        let database = try await StoreOpening.open(
            shared.options.walletDatabase ?? shared.folder.path(fileName), folder: shared.folder, mode: shared.options.configuration.mode,
            kind: .wallet, clock: surroundings.clock, logger: surroundings.logger)
        do {
            let file = try superAppFile(shared)
            let server = try WalletServer(
                configuration: configuration(shared, file), database: database, http: shared.sender, trace: shared.trace.buffer,
                identifiers: .system, random: SystemRandomness.source, surroundings: surroundings)
            let store = surroundings.watch(database, named: "wallet database", reading: WalletServer.probe)
            try await server.backOffice.openDemoAccounts()
            for workspace in file?.workspaces ?? [] { try await server.backOffice.miniPrograms?.register(workspace, by: "system") }
            return ServeComposition.Part(
                publicRoutes: [{ router in server.addRoutes(to: router) }], errors: { $0.withWallet() }, largestBody: server.largestBody,
                longestAddress: WalletServer.longestAddress, workers: server.workers + [store],
                closing: [{ try await database.close() }],
                console: .init(
                    desks: (server.backOffice.miniPrograms.map { [MiniProgramConsole($0)] } ?? []) + [WalletConsole(server.backOffice)],
                    notices: [server.notices], actions: server.actions.all, chains: (database, [server.owner])))
        } catch {
            try? await database.close()
            throw error
        }
    }

    private static func configuration(_ shared: ServeComposition.Shared, _ file: SuperAppFile?) throws -> WalletConfiguration {
        let options = shared.options
        var configuration = try configuration(shared.folder, options.configuration.mode, gateway: options.addresses.alipayGateway)
        if options.configuration.mode == .test {
            configuration.demoCustomers = DemoCustomer.all
            configuration.openers = [
                shopScheme: "\(options.addresses.alipayMerchant)/alipay-shop/open",
                SuperAppPhone.scheme: "\(options.addresses.superApp)/super-app/open",
            ]
            configuration.loginScale = 20
        }
        configuration.alipayPlus = try alipayPlus(shared)
        configuration.superApp = try file.map { try superApp($0, shared) }
        return configuration
    }

    /// The wallet as one of the payment sheet's: by its file, or in test mode without one as `ALIPAY_CN` of the acquiring gateway that there is
    /// in this process or at an address of its own.
    private static func alipayPlus(_ shared: ServeComposition.Shared) throws -> WalletConfiguration.AlipayPlus? {
        let (options, addresses) = (shared.options, shared.options.addresses)
        if let path = options.alipayPlusWallet {
            let file = try AlipayPlusWalletFile(ConfigurationFile.bytes(path))
            var side = WalletConfiguration.AlipayPlus(
                clientID: file.clientID, pspID: file.pspID, key: try AlipayPlusKeys.rsa(AlipayPlusKeys.wallet, shared.folder),
                gateway: file.gateway, gatewayKeys: file.gatewayKeys, origin: file.origin)
            (side.keyVersion, side.limits) = (file.keyVersion, file.limits)
            return side
        }
        guard options.configuration.mode == .test, options.servesAlipayPlus || addresses.alipayPlus != addresses.wallet else { return nil }
        return WalletConfiguration.AlipayPlus(
            clientID: "SANDBOX_MPP_ALIPAY_CN", pspID: "1022166000000000001",
            key: try AlipayPlusKeys.rsa(AlipayPlusKeys.wallet, shared.folder), gateway: addresses.alipayPlus, origin: addresses.wallet,
            enrolment: .init(
                bearer: try AlipayGatewayInstallation.bearer(AlipayPlusPart.onboardingKey, in: shared.folder), type: "ALIPAY_CN",
                brand: "Alipay", region: "CN", codeIssuer: "281005"))
    }

    /// What authors of the sandbox and their servers register themselves with.
    static let superAppOnboardingKey = "super-app-onboarding.key"
    /// What the wallet is told to host mini programs: its file, or in test mode without one the sandbox's, whose authors register themselves.
    private static func superAppFile(_ shared: ServeComposition.Shared) throws -> SuperAppFile? {
        if let path = shared.options.superApp { return try SuperAppFile(ConfigurationFile.bytes(path)) }
        guard shared.options.configuration.mode == .test else { return nil }
        return try SuperAppFile(
            Array(
                """
                {"origin":"\(shared.options.addresses.wallet)","name":"ALIPAY_CN","scheme":"\(linkScheme)","codeHost":"\(codeHost)",\
                "workspaces":[{"workspaceId":"wallet","kind":"LOCAL_MINI_PROGRAM","name":"Wallet"},\
                {"workspaceId":"connect","kind":"ALIPAY_CONNECT","name":"Connect"}]}
                """.utf8))
    }

    /// The wallet as a super app, its keys made when they are first asked for.
    private static func superApp(_ file: SuperAppFile, _ shared: ServeComposition.Shared) throws -> WalletConfiguration.SuperApp {
        var side = WalletConfiguration.SuperApp(
            origin: file.origin, name: file.name, scheme: file.scheme, codeHost: file.codeHost,
            key: try AlipayPlusKeys.rsa("super-app", shared.folder),
            packageKey: try AlipayPlusKeys.rsa("mini-program-platform", shared.folder), packageKeyID: KeyID(file.packageKeyID),
            packageAlgorithm: .rsaPKCS1SHA256)
        (side.keyVersion, side.scopes, side.lifetimes) = (file.keyVersion, file.scopes, file.lifetimes)
        if shared.options.configuration.mode == .test {
            side.onboardingKey = try AlipayGatewayInstallation.bearer(superAppOnboardingKey, in: shared.folder)
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
