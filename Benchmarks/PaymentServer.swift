import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import Foundation
import NIOCore
import NIOPosix

/// The measured process as this one sees it: started, told what to do, and paid at.
final class PaymentServer {
    typealias Failure = MeasuredProcess.Failure

    /// What an answer to `POST /v1/orders` says, as far as a phone needs it.
    private struct PlacedOrder: Decodable {
        var id: String
        var clientSecret: String
        var applicationData: Data
    }

    private let process: MeasuredProcess
    private let wallets: Wallets
    private let gateway: QuickGateway
    var port: Int { process.port }
    private(set) var client: LoadClient
    private let notifications: LoadClient
    private var placed = 0
    private(set) var paid = 0
    private var sample: EmptyRoute.Sample?

    /// Starts a server on an empty store, with so many connections to it.
    init(
        folder: URL, connections: Int, program: String = MeasuredProcess.thisProgram, processors: [Int], loops: EventLoops
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        wallets = try Wallets(leaves: 64, merchantIdentifier: PaymentSetup.applePayIdentifier, at: Date())
        var setup = try PaymentSetup(wallets: wallets, at: Date())
        gateway = try QuickGateway(keys: setup.gateway, merchant: PaymentSetup.acquirerID)
        setup.gatewayPort = try await gateway.listen(on: loops.gateway)
        try JSONEncoder().encode(setup).write(to: folder.appending(path: "setup.json"))
        process = try MeasuredProcess(["server", folder.path], program: program, processors: processors)
        client = try await LoadClient.connect(to: process.port, connections: connections, on: loops.client)
        notifications = try await LoadClient.connect(to: process.port, connections: connections, on: loops.gateway)
        try await gateway.notify(notifications, port: process.port)
    }

    /// Runs a job in the server's process and returns the seconds it took.
    func command(_ name: String, _ count: Int) throws -> Double { try process.command(name, count) }

    /// Places orders and has phones make tokens for them, and returns the payments' requests.
    func preparePayments(_ count: Int) async throws -> [ByteBuffer] {
        let (wallets, port, first) = (wallets, port, placed)
        placed += count
        let requests = (first..<placed).map { number in
            HTTPBytes.request(
                "POST", "/v1/orders", port: port,
                headers: [
                    ("Authorization", "Bearer \(PaymentSetup.apiKey)"), ("Idempotency-Key", "order-\(number)"),
                    ("Content-Type", "application/json"),
                ],
                body: Array(
                    """
                    {"reference":"R-\(number)","goods":"electronic","currency":"CNY","country":"CN","merchantName":"Shop",\
                    "lines":[{"label":"Song","unitAmount":"16.50","quantity":2,"taxRate":"0"}]}
                    """.utf8))
        }
        let orders = try await client.closedLoop(requests).answers
        guard orders.allSatisfy({ $0.status == 201 }) else {
            throw Failure(reason: "an order was refused: \(orders.first { $0.status != 201 }.map { String(buffer: $0.body) } ?? "")")
        }
        return try await withThrowingTaskGroup(of: [ByteBuffer].self) { tasks in
            let share = (count + 7) / 8
            for start in stride(from: 0, to: count, by: share) {
                let slice = orders[start..<min(start + share, count)]
                tasks.addTask {
                    var generator = SystemRandomNumberGenerator()
                    return try slice.enumerated().map { number, answer in
                        let order = try JSONDecoder().decode(PlacedOrder.self, from: Data(answer.body.readableBytesView))
                        return try Self.payment(
                            of: order, authority: wallets.authorities[number % wallets.authorities.count],
                            merchant: wallets.certificate, port: port, using: &generator)
                    }
                }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    private static func payment(
        of order: PlacedOrder, authority: WalletAuthority, merchant: MerchantCertificate, port: Int,
        using generator: inout some RandomNumberGenerator
    ) throws -> ByteBuffer {
        let payload = PaymentPayload(
            applicationPrimaryAccountNumber: Secret("6250940099999998"), applicationExpirationDate: "301231", currencyCode: "156",
            transactionAmount: 3300,
            paymentData: .emv(.init(emvData: Secret("nyYIAQIDBAUGBwg="), encryptedPINData: Secret("0123456789abcdef"))))
        let token = try TokenComposer(authority: authority).compose(
            TokenPlan(
                version: .ecV1, payload: payload, merchant: merchant, applicationData: Array(order.applicationData), signingTime: Date()),
            using: &generator)
        let body = """
            {"token":{"paymentData":"\(Data(token.paymentData).base64EncodedString())",\
            "paymentMethod":{"displayName":"UnionPay 9998","network":"ChinaUnionPay","type":"debit"},\
            "transactionIdentifier":"\(token.transactionIdentifier)"},"shippingContact":{"emailAddress":"buyer@example.com"}}
            """
        return HTTPBytes.request(
            "POST", "/v1/orders/\(order.id)/payments", port: port,
            headers: [
                ("Authorization", "Bearer \(order.clientSecret)"), ("Idempotency-Key", "pay-\(order.id)"),
                ("Content-Type", "application/json"),
            ], body: Array(body.utf8))
    }

    /// Pays as fast as answers come, and returns the seconds it took.
    func pay(_ requests: [ByteBuffer]) async throws -> Double {
        let (answers, seconds) = try await client.closedLoop(requests)
        try check(answers)
        sample = EmptyRoute.Sample(requests[0], answeredBy: answers[0].body)
        return seconds
    }

    /// Refuses anything but payments that succeeded.
    func check(_ answers: [LoadClient.Answer]) throws {
        let wanted = "\"state\":\"succeeded\""
        if let bad = answers.first(where: { $0.status != 200 || !String(buffer: $0.body).contains(wanted) }) {
            throw Failure(reason: "a payment was answered with \(bad.status) \(String(buffer: bad.body))")
        }
        paid += answers.count
    }

    /// Asks the route that does nothing, as fast as answers come: as the phone does and as the acquirer does, in turn.
    func askEmptyRoute(_ count: Int) async throws -> Double {
        let notification = try await gateway.notification()
        return try await process.askEmptyRoute(count, like: [sample, notification].compactMap(\.self), by: client)
    }

    var residentKibibytes: Int? { process.residentKibibytes }

    func stop() async throws {
        try await gateway.notify(nil, port: 0)
        try await client.close()
        try await notifications.close()
        try process.stop()
        try await gateway.close()
    }
}

/// The event loops of the client and of the acquirer, kept off the server's processors.
struct EventLoops {
    let client: any EventLoop
    let gateway: any EventLoop
    private let group: MultiThreadedEventLoopGroup

    init(processors: [Int]) async throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        (client, gateway) = (group.next(), group.next())
        for loop in [client, gateway] { try await loop.submit { Processor.keep(on: processors) }.get() }
    }

    func close() async throws { try await group.shutdownGracefully() }
}
