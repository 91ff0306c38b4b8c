import AlipayPlus
import AlipayPlusValues
import ApplePayApp
import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PaymentCrypto
import Synchronization
import Testing

@testable import AlipayPlusServer

/// The way to a party in this process: whatever is sent comes to its routes, and what it breaks off is no answer.
final class Road: AlipayPlusConnection, MerchantConnection, HTTPSender {
    private let party = Mutex<(any TestClientProtocol)?>(nil)

    func lead(to party: any TestClientProtocol) { self.party.withLock { $0 = party } }

    private func go(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: [UInt8]
    ) async throws -> (Int, HTTPFields, [UInt8]) {
        guard let client = party.withLock({ $0 }) else { throw SandboxError(code: .noAnswer, reason: "the road leads nowhere yet") }
        return try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(bytes: body)) {
            (Int($0.status.code), $0.headers, Array($0.body.readableBytesView))
        }
    }

    private func fields(_ headers: [(name: String, value: String)]) -> HTTPFields {
        var fields: HTTPFields = [:]
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }

    func post(
        _ path: String, headers: [(name: String, value: String)], body: [UInt8], within limit: Duration
    ) async throws -> AlipayPlusReply {
        let (status, answered, bytes) = try await go(.post, path, fields(headers), body)
        return AlipayPlusReply(status: status, headers: answered.map { (name: $0.name.rawName, value: $0.value) }, body: bytes)
    }

    func get(_ path: String) async throws -> AlipayPlusReply {
        let (status, answered, bytes) = try await go(.get, path, [:], [])
        return AlipayPlusReply(status: status, headers: answered.map { (name: $0.name.rawName, value: $0.value) }, body: bytes)
    }

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        let method = HTTPRequest.Method(rawValue: question.method) ?? .get
        let (status, _, bytes) = try await go(method, question.path, fields(question.headers), Array(question.body ?? Data()))
        return HTTPAnswer(status: status, body: Data(bytes))
    }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let path = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let below = path.firstIndex(of: "/").map { String(path[$0...]) } ?? "/"
        do {
            let (status, headers, bytes) = try await go(request.method, below, request.headers, request.body)
            return OutgoingAnswer(status: .init(code: status), headers: headers, body: bytes)
        } catch { throw SendFailure(code: .timedOut, reason: "no answer", mayHaveArrived: true) }
    }
}

/// The gateway, its acquirer and its wallets as the sandbox plays them, each with books of its own, in one process.
struct BothSides: Sendable {
    static let origin = "http://127.0.0.1:9500"

    let server: AlipayPlusServer
    let database: any Database
    let gateway: any TestClientProtocol
    /// The wallets, the acquirer and its shop.
    let outside: any TestClientProtocol
    let wallets: [MobileWallet]
    let acquirer: AlipayPlusAcquirer
    let clock: HandClock

    static func open(_ engine: StoreEngine = .sqlite, _ body: @escaping @Sendable (BothSides) async throws -> Void) async throws {
        let names = MobileWallet.types + ["acquirer"]
        try await stores(names.count) { stores in
            try await engine.withDatabase { database in
                let (clock, road, back) = (HandClock(), Road(), Road())
                let server = try await gateway(database, clock, sending: back)
                let folder = try TemporaryFolder()
                var wallets: [MobileWallet] = []
                for (index, type) in MobileWallet.types.enumerated() {
                    wallets.append(
                        try await MobileWallet(
                            .init(type: type, gateway: "http://gateway.test", origin: origin, console: nil, onboardingKey: onboardingKey),
                            keys: PartyKeys(URL(fileURLWithPath: folder.path(type))),
                            surroundings: try await surroundings(stores[index], clock, label: type), onboarding: road, gateway: road))
                }
                let acquirer = try await AlipayPlusAcquirer(
                    .init(
                        gateway: "http://gateway.test", sheets: "http://gateway.test", acquirer: origin, shop: origin,
                        walletPages: { _ in origin }, console: nil, onboardingKey: onboardingKey),
                    keys: PartyKeys(URL(fileURLWithPath: folder.path("acquirer"))),
                    surroundings: try await surroundings(stores[names.count - 1], clock, label: "acquirer"), onboarding: road,
                    gateway: road, options: road, own: back)
                let outsideRouter = Router()
                MobileWallets(wallets).addRoutes(to: outsideRouter)
                acquirer.addRoutes(to: outsideRouter)
                let (gatewayApp, outsideApp) = (application(server, clock), Application(router: outsideRouter, logger: TestStore.logger))
                let all = wallets
                try await gatewayApp.test(.router) { gateway in
                    try await outsideApp.test(.router) { outside in
                        road.lead(to: gateway)
                        back.lead(to: outside)
                        let sides = BothSides(
                            server: server, database: database, gateway: gateway, outside: outside, wallets: all, acquirer: acquirer,
                            clock: clock)
                        try await sides.register()
                        try await body(sides)
                    }
                }
            }
        }
    }

    private static let onboardingKey = Secret(PlusHarness.onboardingKey)

    private static func stores(
        _ count: Int, _ opened: [any Database] = [], _ body: @escaping @Sendable ([any Database]) async throws -> Void
    ) async throws {
        guard opened.count < count else { return try await body(opened) }
        try await StoreEngine.sqlite.withDatabase { try await stores(count, opened + [$0], body) }
    }

    private static func surroundings(_ database: any Database, _ clock: HandClock, label: String) async throws -> PartySurroundings {
        try await MigrationRunner(PartySurroundings.migrations, clock: clock, logger: TestStore.logger).run(on: database)
        let draws = Mutex(SeededGenerator(seed: StoreEngine.seed, label: label))
        let random: @Sendable () -> UInt64 = { draws.withLock { $0.next() } }
        let reporter = PartyReporter(
            sink: Recorder(), now: { clock.now().microseconds },
            makeName: { String(random(), radix: 16) + "x" + String(random(), radix: 16) })
        return PartySurroundings(database: database, clock: clock, reporter: reporter, random: random, logger: TestStore.logger)
    }

    private static func gateway(_ database: any Database, _ clock: HandClock, sending road: Road) async throws -> AlipayPlusServer {
        let keys = try PlusTestKeys.shared.get()
        let random = Mutex(SeededGenerator(seed: StoreEngine.seed, label: "gateway"))
        var configuration = AlipayPlusServerConfiguration(
            mode: .test,
            keys: AlipayPlusGatewayKeys(
                audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)),
                hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                sealer: EnvelopeSealer(ring: KeyRing(active: "k1", try SealingKey(bytes: [UInt8](repeating: 3, count: 32)))),
                acquirerSide: keys.gateway, walletSide: keys.gatewayWallets), origin: "http://gateway.test")
        configuration.onboardingKey = onboardingKey
        configuration.callRate = RateLimit(perSecond: 100_000, burst: 100_000)
        try await MigrationRunner(AlipayPlusServer.migrations, clock: clock, logger: TestStore.logger).run(on: database)
        let server = try AlipayPlusServer(
            configuration: configuration, database: database, http: road, addresses: try AddressPolicy(mode: .test), trace: Recorder(),
            identifiers: IdentifierSource { random.withLock { $0.next() } }, surroundings: PlusHarness.surroundings(clock))
        try await server.quotes.publish(
            [
                .sgd: "1.3475", .hkd: "7.7812", .php: "58.71", .krw: "1385.5", .idr: "15925", .myr: "4.215", .thb: "33.41", .jpy: "151.2",
            ], at: clock.now())
        return server
    }

    private static func application(_ server: AlipayPlusServer, _ clock: HandClock) -> some ApplicationProtocol {
        var limits = ServerLimits()
        limits.rate = nil
        let surroundings = PlusHarness.surroundings(clock)
        let router = surroundings.router(
            for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        server.addRoutes(to: router)
        return Application(responder: router.buildResponder(), logger: TestStore.logger)
    }

    /// The parties register themselves as soon as they have to say something.
    private func register() async throws {
        for wallet in MobileWallet.types {
            let guest = try await logIn(wallet, 0)
            _ = try? await guest.post("code")
            _ = try? await guest.post("scan", "code=https://nobody.example/1")
        }
        _ = try await shop(.post, "/acquirer/v1/orders", #"{"offer":"kaya-box"}"#)
        let order = try #require(try await shop(.post, "/acquirer/v1/orders", #"{"offer":"kaya-box"}"#)["number"] as? String)
        _ = try await shop(.post, "/acquirer/v1/orders/\(order)/payments", #"{"way":"orderCode"}"#)
        _ = try await shop(.post, "/acquirer/v1/orders/\(order)/cancel", "{}")
    }

    // MARK: The shop

    func shop(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> [String: Any] {
        try await outside.execute(uri: path, method: method, headers: [:], body: body.map { ByteBuffer(string: $0) }) {
            try JSONSerialization.jsonObject(with: Data($0.body.readableBytesView)) as? [String: Any] ?? [:]
        }
    }

    func place(_ offer: String) async throws -> String {
        try #require(try await shop(.post, "/acquirer/v1/orders", #"{"offer":"\#(offer)"}"#)["number"] as? String)
    }

    /// Begins a payment and returns what the payer needs, or the refusal's code.
    @discardableResult
    func begin(_ order: String, _ way: String, code: String? = nil) async throws -> (payment: [String: Any]?, refusal: String?) {
        let body = code.map { #"{"way":"\#(way)","code":"\#($0)"}"# } ?? #"{"way":"\#(way)"}"#
        let answer = try await shop(.post, "/acquirer/v1/orders/\(order)/payments", body)
        return ((answer["payments"] as? [[String: Any]])?.last, (answer["error"] as? [String: Any])?["reason"] as? String)
    }

    func state(_ order: String) async throws -> String? { try await shop(.get, "/acquirer/v1/orders/\(order)")["state"] as? String }

    /// The code that the links of the sheet wrap.
    func code(in payment: [String: Any]?, for wallet: String) throws -> String {
        let data = try PaymentData(try #require(payment?["paymentData"] as? String))
        let link = try #require(data[wallet]?.links.normalURL)
        return try #require(URLComponents(string: link)?.queryItems?.first { $0.name == "codeValue" }?.value)
    }

    // MARK: Wallets

    /// Somebody with a wallet's app open.
    struct Guest: Sendable {
        let client: any TestClientProtocol
        let root: String
        let cookie: String

        func get(_ path: String) async throws -> (status: Int, page: String) {
            try await client.execute(uri: "\(root)/\(path)", method: .get, headers: [.cookie: cookie], body: nil) {
                (Int($0.status.code), String(buffer: $0.body))
            }
        }

        /// Where it leads, and the page where it leads nowhere.
        @discardableResult
        func post(_ path: String, _ form: String = "") async throws -> (location: String?, status: Int, page: String) {
            try await client.execute(uri: "\(root)/\(path)", method: .post, headers: [.cookie: cookie], body: ByteBuffer(string: form)) {
                ($0.headers[.location], Int($0.status.code), String(buffer: $0.body))
            }
        }

        /// Scans a code; the payment's address below the wallet's root.
        func scan(_ code: String) async throws -> String? {
            let value = code.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return try await post("scan", "code=\(value)").location.map { String($0.dropFirst(root.count + 1)) }
        }

        func shownCode() async throws -> String? {
            let page = try await post("code").page
            guard let start = page.range(of: "data-code=\"") else { return nil }
            return String(page[start.upperBound...].prefix { $0 != "\"" })
        }

        func outcome(_ payment: String) async throws -> String? {
            let page = try await get(payment).page
            guard let start = page.range(of: "data-outcome=\"") else { return nil }
            return String(page[start.upperBound...].prefix { $0 != "\"" })
        }
    }

    /// - Parameter person: The first of a wallet's people has enough, the second has not.
    func logIn(_ wallet: String, _ person: Int) async throws -> Guest {
        let root = "/wallets/\(try #require(MobileWallet.slug(wallet)))"
        let page = try await outside.execute(uri: "\(root)/", method: .get, headers: [:], body: nil) { String(buffer: $0.body) }
        let ids = page.matches(of: /<option value="([^"]+)">/).map { String($0.1) }
        let pins = page.matches(of: /<dd class="value">([0-9]{6})</).map { String($0.1) }
        let form = "id=\(ids[person])&pin=\(pins[person])&next=/"
        let cookie = try await outside.execute(uri: "\(root)/login", method: .post, headers: [:], body: ByteBuffer(string: form)) {
            $0.headers[.setCookie]
        }
        return Guest(client: outside, root: root, cookie: String(try #require(cookie).prefix { $0 != ";" }))
    }

    // MARK: Time and books

    /// Runs everybody's workers until nothing is due.
    func work() async throws {
        var busy = true
        for _ in 0..<200 where busy {
            var done = (try? await server.outboxWorker.runOnce()) ?? 1
            done += (try? await server.deadlineWorker.runOnce()) ?? 1
            for wallet in wallets { done += try await wallet.worker.runOnce() }
            done += try await acquirer.worker.runOnce()
            busy = done > 0
        }
    }

    func pass(_ duration: Duration, step: Duration = .seconds(60)) async throws {
        var left = duration
        while left > .zero {
            clock.advance(by: min(step, left))
            left -= step
            try await work()
        }
    }

    func walletBooks(_ type: String) async throws -> [String: Any] {
        try await shop(.get, "/wallets/\(try #require(MobileWallet.slug(type)))/control/books")
    }

    /// The gateway's balances in the acquirer's books, by account and currency.
    func balances() async throws -> [String: Int64] {
        let id = try MerchantID("1022188000000201")
        return try await database.read { tx in
            let trial = try LedgerRecords.trialBalance(id, in: tx)
            #expect(try trial.imbalances() == [])
            return Dictionary(
                uniqueKeysWithValues: trial.accounts.map { ("\($0.account) \($0.balance.currency)", $0.balance.minorUnits) })
        }
    }

    /// Holds everybody's books against each other.
    func compareBooks() async throws {
        let balances = try await balances()
        #expect(balances.filter { $0.key.hasPrefix("clearing") }.allSatisfy { $0.value == 0 })
        for type in MobileWallet.types {
            let books = try await walletBooks(type)
            #expect(books["balanced"] as? Bool == true, "\(type)")
            let accounts = books["accounts"] as? [String: [String: String]] ?? [:]
            // What the wallet says that it owes is what the gateway says, with what the wallet gave of its own.
            let owed = try accounts["alipay-plus"].map { account in
                try Amount(#require(account["amount"]), currency: Currency(#require(account["currency"]))).minorUnits
            }
            let ours = balances.filter { $0.key.hasPrefix("wallet:\(type) ") || $0.key.hasPrefix("promotion:WALLET:\(type) ") }
                .reduce(0) { $0 + $1.value }
            #expect(ours == owed ?? 0, "\(type)")
        }
        let entries = try await shop(.get, "/acquirer/v1/books")["entries"] as? [[String: Any]] ?? []
        var due: Int64 = 0
        for entry in entries {
            func units(_ name: String) throws -> Int64 {
                let amount = try #require(entry[name] as? [String: String])
                return try Amount(#require(amount["amount"]), currency: .sgd).minorUnits
            }
            let settled = try units("settlement")
            due += (entry["kind"] as? String == "refund" ? -settled : settled) - (try units("fee"))
        }
        // A liability is a credit.
        #expect(balances["acquirer:1022188000000201 SGD"] ?? 0 == -due)
    }
}
