import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import WalletServer

/// The real wallet in this process, on a store of its own, with one customer who pays.
struct WalletSide: Sendable {
    static let customer = DemoCustomer.all[0]

    let server: WalletServer
    let client: any TestClientProtocol
    private let database: any Database

    /// Runs a wallet that sends to the gateway through a link.
    static func open(
        on store: TestStore, faults: FaultyDatabase.Faults?, to gateway: LossyLink, clock: HandClock, recorder: Recorder,
        _ body: @Sendable @escaping (WalletSide) async throws -> Void
    ) async throws {
        let cny = try BillfoldMoney.Currency("CNY")
        var configuration = WalletConfiguration(
            mode: .test, owner: try MerchantID("wallet"), currency: cny,
            keys: .init(
                audit: SymmetricKey(data: [UInt8](repeating: 4, count: 32)), hashing: SymmetricKey(data: [UInt8](repeating: 5, count: 32))),
            gateway: .init(
                origin: "http://gateway.test", credential: Secret(OrderGatewayHarness.walletKey),
                callerKey: Secret(OrderGatewayHarness.gatewayKey)))
        configuration.passwordCost = PasswordHash.Cost(logRounds: 4)
        configuration.demoCustomers = [customer]
        let surroundings = ServerSurroundings(
            logger: TestStore.logger, clock: clock, uptime: { .microseconds(clock.now().microseconds) }, errors: ErrorMapping().withWallet()
        )
        try await MigrationRunner(WalletServer.migrations, clock: clock, logger: TestStore.logger).run(on: store.database)
        let random = Mutex(SeededGenerator(seed: StoreEngine.seed, label: "wallet"))
        let database: any Database =
            faults.map { FaultyDatabase(store.database, seed: StoreEngine.seed &+ 1, faults: $0) } ?? store.database
        let server = try WalletServer(
            configuration: configuration, database: database, http: gateway, trace: recorder,
            identifiers: IdentifierSource { random.withLock { $0.next() } },
            random: RandomBytes { count in random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            },
            surroundings: surroundings)
        try await server.backOffice.openDemoAccounts()
        var limits = ServerLimits()
        limits.rate = nil
        let router = surroundings.router(
            for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        server.addRoutes(to: router)
        try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { client in
            try await body(WalletSide(server: server, client: client, database: database))
        }
    }

    /// What the customer's client may be told of a checkout.
    func status(_ token: String) async throws -> String {
        let checkout = try await server.checkouts.find(token)
        return server.checkouts.result(of: checkout, texts: WalletTexts(.english)).resultStatus
    }

    /// Takes an order to the password. Throws where the gateway cannot be asked; nothing is begun then.
    func begin(_ order: String) async throws -> (token: String, trade: String) {
        let number = Self.customer.number
        let account = try #require(try await database.read { try AccountRecords.find(number: number, in: $0) })
        let token = try await server.checkouts.open(.text(order), channel: .app, scheme: nil, language: nil, texts: WalletTexts(.english))
        try await server.checkouts.begin(server.checkouts.find(token), account: account)
        return (token, try #require(try await server.checkouts.find(token).trade))
    }

    /// Takes an open checkout to the password.
    func reach(_ token: String) async throws {
        let number = Self.customer.number
        let account = try #require(try await database.read { try AccountRecords.find(number: number, in: $0) })
        try await server.checkouts.begin(server.checkouts.find(token), account: account)
    }

    /// Enters the payment password.
    func confirm(_ token: String) async throws {
        let number = Self.customer.number
        let account = try #require(try await database.read { try AccountRecords.find(number: number, in: $0) })
        let checkout = try await server.checkouts.find(token)
        let told = try await server.checkouts.confirm(
            checkout, account: account, password: Secret(Self.customer.paymentPassword), shown: checkout.payable.text)
        #expect(told == .submitted)
    }

    /// The worker's next round. A claim whose commit's answer is lost stays leased, and counts as work.
    func work() async -> Int { (try? await server.deliverOnce()) ?? 1 }

    /// Brings money in for the customer, in minor units.
    func bringIn(_ minorUnits: Int64) async throws {
        try await server.backOffice.transfer(
            .topUp, of: Amount(minorUnits: minorUnits, currency: .cny), account: Self.customer.number, requestID: "brought-in", by: "test",
            reason: "for a long run")
    }

    func balance() async throws -> Int64 { try await server.backOffice.balance(account: Self.customer.number).minorUnits }
    func waiting() async throws -> Int64 { try await server.backOffice.standing().waiting }
    func alarms() async throws -> [WalletPaymentAlarm] { try await server.backOffice.alarms() }

    func settle(_ payment: String, _ settlement: WalletBackOffice.Settlement) async throws -> Bool {
        try await server.backOffice.settle(payment: payment, as: settlement, by: "ada, bob", reason: "agreed by telephone")
    }

    /// What the wallet owes the gateway.
    func owed() async throws -> Int64 {
        let standing = try await server.backOffice.standing()
        #expect(standing.isBalanced, "\(standing)")
        return standing.trialBalance.accounts.filter { $0.account == "gateway" }.reduce(0) { $0 - $1.balance.minorUnits }
    }
}
