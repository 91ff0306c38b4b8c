import BillfoldDiagnosis
import BillfoldMoney
import BillfoldSandbox
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CryptoExtras
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SwiftASN1
import Synchronization
import Testing
import UnionPay
import X509

/// A clock that the test moves.
final class TestClock: WallClock {
    private let instant: Mutex<Timestamp>
    init(_ start: Timestamp) { instant = Mutex(start) }
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Collects what was reported.
final class TestSink: TraceSink {
    private let list = Mutex<[TraceEntry]>([])
    func record(_ entry: TraceEntry) { list.withLock { $0.append(entry) } }
    var entries: [TraceEntry] { list.withLock { $0 } }
}

/// The merchant's end of notifications: keeps the bodies and answers from a script, then with 200.
final class TestReceiver: OutgoingPost {
    struct Down: Error {}
    private let state = Mutex<(bodies: [String], exchanges: [String], answers: [Int?])>(([], [], []))
    private let underWay = Mutex<(@Sendable () async throws -> Void)?>(nil)
    init(answers: [Int?] = []) { state.withLock { $0.answers = answers } }
    func post(form body: String, to url: String, exchange: String, timeout: Duration) async throws -> PostReply {
        let answer: Int? = state.withLock { state in
            state.bodies.append(body)
            state.exchanges.append(exchange)
            return state.answers.isEmpty ? 200 : state.answers.removeFirst()
        }
        let work = underWay.withLock { work in
            defer { work = nil }
            return work
        }
        try await work?()
        guard let answer else { throw Down() }
        return PostReply(status: answer, body: Array("told".utf8))
    }
    /// Does something while the next notification is on its way.
    func meanwhile(_ work: @escaping @Sendable () async throws -> Void) { underWay.withLock { $0 = work } }
    var bodies: [String] { state.withLock { $0.bodies } }
    var exchanges: [String] { state.withLock { $0.exchanges } }
}

/// Has a request learn whose it is, as every listener does.
private struct Visiting<Context: RequestContext>: RouterMiddleware {
    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        try await OwnTime.visiting { try await next(request, context) }
    }
}

/// One gateway with a registered merchant.
struct UnionPayGatewayHarness: Sendable {
    /// 2026-11-20 20:00 in Beijing.
    static let start = Timestamp(secondsSince1970: 1_795_176_000)
    static let merchant = "777290058167151"
    static let key: Certificate.PrivateKey? = (try? _RSA.Signing.PrivateKey(keySize: .bits2048)).map { Certificate.PrivateKey($0) }

    let client: any TestClientProtocol
    let gateway: UnionPayGateway
    let clock: TestClock
    /// The gateway's clock, where merchants may be ahead of everybody.
    let ownTime: SpaceClock?
    let sink: TestSink
    let receiver: TestReceiver
    let signer: UnionPaySigner
    let verifier: UnionPayVerifier

    /// Runs a gateway on a socket and a store of its own.
    static func run(
        _ receiver: TestReceiver = TestReceiver(), configuration: UnionPayGateway.Configuration = .init(), spaces: MemorySpaces? = nil,
        _ body: @escaping @Sendable (UnionPayGatewayHarness) async throws -> Void
    ) async throws {
        let key = try #require(Self.key)
        let name = try DistinguishedName { CommonName("merchant \(merchant)") }
        let from = Date(timeIntervalSince1970: 1_790_000_000)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(69_903_319_369 as Int), publicKey: key.publicKey, notValidBefore: from,
            notValidAfter: from.addingTimeInterval(86_400 * 700), issuer: name, subject: name, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions {}, issuerPrivateKey: key)
        try await StoreEngine.sqlite.withDatabase { database in
            let clock = TestClock(start)
            let ownTime = if let spaces { try await SpaceClock(base: clock, book: spaces) } else { nil as SpaceClock? }
            let sink = TestSink()
            var logger = Logger(label: "gateway")
            logger.logLevel = .critical
            try await MigrationRunner(UnionPayGateway.migrations, clock: clock, logger: logger).run(on: database)
            let draws = Mutex(SeededGenerator(seed: 7, label: "gateway"))
            let gateway = try await UnionPayGateway(
                database: database, clock: ownTime ?? clock, sink: sink, outgoing: receiver, random: { draws.withLock { $0.next() } },
                logger: logger,
                configuration: configuration)
            let router = Router()
            if ownTime != nil { router.add(middleware: Visiting()) }
            gateway.addRoutes(to: router)
            try await Application(router: router, logger: logger).test(.ahc(.http)) { client in
                let trust = try Self.trust(await client.execute(uri: "/unionpay/control/certificates", method: .get).body)
                let harness = UnionPayGatewayHarness(
                    client: client, gateway: gateway, clock: clock, ownTime: ownTime, sink: sink, receiver: receiver,
                    signer: try UnionPaySigner(key: key, certificate: certificate), verifier: UnionPayVerifier(trust: trust))
                let registration = ["merId": merchant, "certificate": try certificate.serializeAsPEM().pemString]
                let response = try await harness.control(.post, "merchants", registration)
                #expect(response.status == .created)
                try await body(harness)
            }
        }
    }

    private static func trust(_ pem: ByteBuffer) throws -> UnionPayTrust {
        let certificates = try PEMDocument.parseMultiple(pemString: String(buffer: pem)).map { try Certificate(pemDocument: $0) }
        return UnionPayTrust(anchors: [try #require(certificates.last)], intermediates: [try #require(certificates.first)])
    }

    func control(_ method: HTTPRequest.Method, _ path: String, _ body: (some Encodable)? = String?.none) async throws -> TestResponse {
        let data = try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
        return try await client.execute(uri: "/unionpay/control/" + path, method: method, body: data)
    }

    func plan(_ name: String, _ change: (inout FaultPlan) -> Void) async throws {
        var plan = FaultPlan()
        change(&plan)
        #expect(try await control(.put, "plans/\(name)", plan).status == .noContent)
    }

    var now: Date { Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds) / 1_000_000) }

    func key(_ order: String) throws -> TransactionKey {
        TransactionKey(merchant: try MerchantID(Self.merchant), order: try OrderID(order), time: BeijingTime(now))
    }

    func post(_ request: some UnionPayRequest, to path: String) async throws -> UnionPayFields {
        try await post(FormBody.encode(request.signed(by: signer)), to: path)
    }

    func post(_ body: String, to path: String, exchange: String? = nil) async throws -> UnionPayFields {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let exchange, let name = HTTPField.Name(Exchange.headerName) { headers[name] = exchange }
        let response = try await client.execute(
            uri: "/unionpay/" + path, method: .post, headers: headers, body: ByteBuffer(string: body))
        #expect(response.status == .ok)
        return try ReplyBody.decode(Array(response.body.readableBytesView))
    }

    static let back = "gateway/api/backTransReq.do"

    func consume(_ order: String, fen: Int64 = 3300, key: TransactionKey? = nil) async throws -> AcceptanceReply {
        try await Unverified<AcceptanceReply>(post(consumeRequest(order, fen: fen, key: key), to: Self.back))
            .verified(by: verifier, at: now)
    }

    func consumeRequest(_ order: String, fen: Int64 = 3300, key: TransactionKey? = nil) throws -> ConsumeRequest {
        ConsumeRequest(
            key: try key ?? self.key(order), amount: Amount(minorUnits: fen, currency: try Currency("CNY")),
            card: CardTransactionData(accountNumber: Secret("6233999999990017"), emvData: Secret("nyYIESIzRFU=")),
            backURL: "http://127.0.0.1:1/notify?src=a&b=1")
    }

    func query(_ key: TransactionKey) async throws -> BoundReply<QueryReply> {
        try await Unverified<QueryReply>(post(QueryRequest(key: key), to: "gateway/api/queryTrans.do")).verified(by: verifier, at: now)
            .bound(to: key)
    }

    func verdict(_ key: TransactionKey, fen: Int64 = 3300) async throws -> QueryReply.Verdict {
        try await query(key).verdict(of: Amount(minorUnits: fen, currency: Currency("CNY")))
    }

    func refund(_ order: String, of original: QueryID, fen: Int64) async throws -> AcceptanceReply {
        let request = RefundRequest(
            key: try key(order), original: .queryID(original), amount: Amount(minorUnits: fen, currency: try Currency("CNY")),
            backURL: "http://127.0.0.1:1/notify")
        return try await Unverified<AcceptanceReply>(post(request, to: Self.back)).verified(by: verifier, at: now)
    }

    func void(_ order: String, of original: QueryID, fen: Int64) async throws -> AcceptanceReply {
        let request = VoidRequest(
            key: try key(order), original: .queryID(original), amount: Amount(minorUnits: fen, currency: try Currency("CNY")),
            backURL: "http://127.0.0.1:1/notify")
        return try await Unverified<AcceptanceReply>(post(request, to: Self.back)).verified(by: verifier, at: now)
    }

    func reverse(_ key: TransactionKey, fen: Int64) async throws -> AcceptanceReply {
        let request = ReversalRequest(key: key, amount: Amount(minorUnits: fen, currency: try Currency("CNY")))
        return try await Unverified<AcceptanceReply>(post(request, to: Self.back)).verified(by: verifier, at: now)
    }

    func file() async throws -> FileTransferReply {
        let request = FileTransferRequest(
            merchant: try MerchantID(Self.merchant), time: BeijingTime(now), settlementDay: BeijingTime(now).settlementDay)
        return try await Unverified<FileTransferReply>(post(request, to: "file/")).verified(by: verifier, at: now)
    }

    func notifications() throws -> [UnionPayFields] { try receiver.bodies.map { try FormBody.decode(Array($0.utf8)) } }

    func notification(_ fields: UnionPayFields) throws -> PaymentNotification {
        try Unverified<PaymentNotification>(fields).verified(by: verifier, at: now)
    }
}
