import ApplePayApp
import AsyncHTTPClient
import BillfoldSandbox
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PassKitSimulator
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization
import Testing

/// Broker, network, processor and a bank's stub on one socket, each with a store of its own.
struct ProvisioningHarness: Sendable {
    let client: PartyClient
    let issuer: IssuerStub
    let clock: TestClock
    let sink: TestSink
    let network: CardNetwork
    let device: BillfoldSandbox.WalletDevice
    /// The bank's own line to the network.
    let bank: PartyClient

    static func run(_ body: @escaping @Sendable (ProvisioningHarness) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parties-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = StoreEngine.sqlite
        try await engine.withDatabase { brokerStore in
            try await engine.withDatabase { networkStore in
                try await engine.withDatabase { processorStore in
                    try await run(brokerStore, networkStore, processorStore, folder, body)
                }
            }
        }
    }

    private static func run(
        _ brokerStore: any Database, _ networkStore: any Database, _ processorStore: any Database, _ folder: URL,
        _ body: @escaping @Sendable (ProvisioningHarness) async throws -> Void
    ) async throws {
        let (clock, sink) = (TestClock(PartySetting.start), TestSink())
        func setting(_ store: any Database, _ name: String) async throws -> PartySurroundings {
            try await PartySetting.make(store, label: name, clock: clock, sink: sink).surroundings
        }
        let issuer = try IssuerStub()
        let origin = OriginBox()
        let router = Router()
        issuer.addRoutes(to: router)
        let brokerSurroundings = try await setting(brokerStore, "broker")
        let broker = try await WalletBroker(
            brokerSurroundings, keys: PartyKeys(folder.appendingPathComponent("broker")), network: LateConnection(origin: origin))
        broker.addRoutes(to: router)
        let network = try CardNetwork(
            try await setting(networkStore, "network"), keys: PartyKeys(folder.appendingPathComponent("network")),
            makeTripleDESKey: { try OpenSSLTripleDESKey($0) }, connect: { _ in LateConnection(origin: origin) })
        network.addRoutes(to: router)
        CardProcessor(try await setting(processorStore, "processor")).addRoutes(to: router)
        try await Application(router: router, logger: brokerSurroundings.logger).test(.ahc(.http)) { client in
            origin.set("http://127.0.0.1:\(try #require(client.port))")
            let plain = PartyClient(client: client)
            let key = try #require(try await plain.send(.get, "/card-network/issuer/v1/keys").json["accountKey"] as? String)
            let enrolled = try await plain.send(
                .post, "/card-network/issuer/v1/enrolment", issuer.enrolment(decisionURL: "http://bank.example", accountKey: key))
            #expect(enrolled.status == 200)
            let device = BillfoldSandbox.WalletDevice(broker: LateConnection(origin: origin), reporter: brokerSurroundings.reporter)
            try await body(
                ProvisioningHarness(
                    client: plain, issuer: issuer, clock: clock, sink: sink, network: network, device: device,
                    bank: PartyClient(client: client, credential: try #require(enrolled.json["credential"] as? String))))
        }
    }

    // MARK: Steps

    static func device(_ kind: DeviceKind = .phone, _ account: DemoDevice.Account = .trusted) -> BrokerDevice {
        let configuration = SimulatedDevice.Configuration(
            model: DemoDevice.productType(kind), kind: kind, name: DemoDevice.name(kind), appleAccount: account.rawValue,
            secureElementID: DemoDevice.secureElement(kind, account.rawValue))
        return SimulatedDevice(configuration).identity
    }

    var now: Date { Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds) / 1_000_000) }

    /// A card of Mei Lin's, by its scheme at the processor.
    func card(_ network: String) async throws -> IssuerStub.Card {
        var bank = client
        bank.credential = try #require(
            try await client.send(.post, "/processor/v1/enrolment", #"{"issuer":"bank"}"#).json["credential"] as? String)
        let cards = try #require(try await bank.send(.get, "/processor/v1/cards?customer=c-1").json["cards"] as? [[String: Any]])
        let card = try #require(cards.first { $0["network"] as? String == network })
        return IssuerStub.Card(
            number: try #require(card["primaryAccountNumber"] as? String), expiration: try #require(card["expiration"] as? String),
            network: ["visa": "Visa", "mastercard": "MasterCard"][network] ?? "ChinaUnionPay")
    }

    /// The whole flow up to the pass, as the device sees it.
    func provision(
        _ scheme: String = "visa", on identity: BrokerDevice = device(), activation: IssuerStub.ActivationData = .right
    ) async throws -> WalletPass {
        let challenge = try await device.challenge(for: identity, scheme: .ECC_V2)
        let submission = try await issuer.submission(try await card(scheme), challenge, activation: activation, at: now)
        let accepted = try await device.add(submission, to: identity)
        return try await device.enable(card: accepted.cardID, on: identity)
    }

    /// The tokens in the network's books.
    func books() async throws -> [[String: Any]] {
        try #require(try await bank.send(.get, "/card-network/issuer/v1/tokens").json["tokens"] as? [[String: Any]])
    }
}

/// Where the parties are, once their socket is open.
final class OriginBox: Sendable {
    private let origin = Mutex("")
    func set(_ value: String) { origin.withLock { $0 = value } }
    var value: String { origin.withLock { $0 } }
}

struct LateConnection: MerchantConnection {
    let origin: OriginBox
    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        try await HTTPMerchantConnection(origin: origin.value, client: .shared).send(question)
    }
}
