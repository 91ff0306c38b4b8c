import Foundation
import NIOCore

/// `pay` of the payment sheet, from the acquirer's signed request to the gateway's signed answer.
///
/// The gateway verifies the request, stores the payment with its idempotency key, its end and its audit row in one durable write, works out
/// which wallets fit and what each would pay, and signs the answer that the sheet is opened with.
struct SheetPaymentBenchmark {
    static let floor = 0.6

    var folder: URL
    var blocks = 9
    var perBlock = 2_000
    var acquirers = 8
    var connections = AcquiringGatewayProcess.group

    /// Seconds that one operation took, in one block.
    private struct Block {
        var payment: Double
        /// All that cannot be avoided, done by the bare route.
        var together: Double
        var verify: Double
        var write: Double
        /// By OpenSSL and by swift-crypto, of which the gateway takes the faster by a trial of its own.
        var sign: Double
        var swiftSign: Double
        var emptyRoute: Double

        /// The parts timed alone, with the faster of the two signers.
        var apart: Double { verify + write + min(sign, swiftSign) + emptyRoute }
    }

    /// Measures throughput against the bound, and latency. Returns whether the floor holds.
    func run() async throws -> Bool {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let gateway = try await AcquiringGateway(
            folder: folder.appending(path: "payment-sheet"), acquirers: acquirers, connections: connections,
            processors: processors.server, loops: loops)
        let (perSignature, perWrite, perRoute) = (500, 4_000, 5_000)
        var measured: [Block] = []
        for number in 0...blocks {
            let block = Block(
                payment: try await gateway.pay(perBlock) / Double(perBlock),
                together: try await gateway.askBareRoute(perBlock) / Double(perBlock),
                verify: try gateway.command("verify", perSignature) / Double(perSignature),
                write: try gateway.command("write", perWrite) / Double(perWrite),
                sign: try gateway.command("sign", perSignature) / Double(perSignature),
                swiftSign: try gateway.command("sign-swift", perSignature) / Double(perSignature),
                emptyRoute: try await gateway.askEmptyRoute(perRoute) / Double(perRoute))
            // The first warms up.
            if number > 0 { measured.append(block) }
        }
        let holds = report(measured)
        try await openLoop(gateway, rate: 0.5 / median(measured.map(\.payment)))
        try await gateway.stop()
        try await loops.close()
        return holds
    }

    /// Payments of the sheet by this program and by other builds of it, by turns.
    func compare(with programs: [String]) async throws {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let perTurn = 1_000
        let turns = Turns<AcquiringGateway>(
            unit: "payments of the sheet", rounds: 60,
            start: { program, folder in
                try await AcquiringGateway(
                    folder: folder, acquirers: acquirers, connections: connections, program: program, processors: processors.server,
                    loops: loops)
            }, work: { try await $0.pay(perTurn) / Double(perTurn) }, stop: { try await $0.stop() })
        try await turns.run(in: folder, with: programs)
        try await loops.close()
    }

    private func report(_ blocks: [Block]) -> Bool {
        func rate(_ part: KeyPath<Block, Double>) -> Int { Int(1 / median(blocks.map { $0[keyPath: part] })) }
        let ratios = PathRatios(blocks.map { ($0.payment, $0.together, $0.apart) }, floor: Self.floor)
        let signers = (openSSL: rate(\.sign), swiftCrypto: rate(\.swiftSign))
        print(
            """
            pay of the payment sheet, SQLite, one processor for the gateway: \(rate(\.payment)) per second, \(connections) at once, \
            \(acquirers) acquirers, \(SheetPaymentSetup.wallets.count) wallets
                \(ratios.text)
                timed alone: 1 RSA-2048 verification (\(rate(\.verify)) per second) + 1 durable write of the same statements through the SQLite C \
            API, \(AcquiringGatewayProcess.group) to a synced commit (\(rate(\.write))) + 1 RSA-2048 signature + 1 empty route \
            (\(rate(\.emptyRoute))), all by the same process
                RSA-2048 signatures: OpenSSL \(signers.openSSL) per second, swift-crypto \(signers.swiftCrypto); the gateway took the faster by \
            a trial at its start
            """)
        return ratios.holds
    }

    /// At least 10,000 payments and 30 seconds of them, sent at half of the greatest rate whatever is answered.
    private func openLoop(_ gateway: AcquiringGateway, rate: Double) async throws {
        let count = max(10_000, Int(rate * 30))
        let sorted = try await gateway.pay(count, perSecond: rate).sorted()
        let shares = [(0.5, "p50"), (0.99, "p99"), (0.999, "p99.9"), (1, "longest")]
        let line = shares.map { "\($0.1) \(String(format: "%.1f", percentile(sorted, $0.0))) ms" }.joined(separator: ", ")
        print("    open loop, \(count) payments at \(Int(rate)) per second (half of the rate above), from when each was due: \(line)")
    }
}

/// The acquiring gateway's process as its acquirers see it.
private final class AcquiringGateway {
    private let setup: SheetPaymentSetup
    private let process: MeasuredProcess
    private let client: LoadClient
    private var sent = 0
    private var sample: EmptyRoute.Sample?

    /// Starts a gateway on an empty store, with so many connections to it.
    init(
        folder: URL, acquirers: Int, connections: Int, program: String = MeasuredProcess.thisProgram, processors: [Int],
        loops: EventLoops
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setup = try SheetPaymentSetup(acquirers: acquirers)
        try JSONEncoder().encode(setup).write(to: folder.appending(path: "setup.json"))
        process = try MeasuredProcess(["acquiring-gateway", folder.path], program: program, processors: processors)
        client = try await LoadClient.connect(to: process.port, connections: connections, on: loops.client)
    }

    func command(_ name: String, _ count: Int) throws -> Double { try process.command(name, count) }

    func askEmptyRoute(_ count: Int) async throws -> Double {
        try await process.askEmptyRoute(count, like: sample.map { [$0] } ?? [], by: client)
    }

    func askBareRoute(_ count: Int) async throws -> Double {
        try await process.askBareRoute(count, like: sample.map { [$0] } ?? [], by: client)
    }

    /// Sends so many payments, signed before the clock starts, as fast as answers come. Returns the seconds it took.
    func pay(_ count: Int) async throws -> Double {
        let requests = try requests(count)
        let (answers, seconds) = try await client.closedLoop(requests)
        try Self.check(answers)
        sample = EmptyRoute.Sample(requests[0], answeredBy: answers[0].body)
        return seconds
    }

    /// Sends each payment when it is due. Returns the milliseconds from then to its answer.
    func pay(_ count: Int, perSecond rate: Double) async throws -> [Double] {
        let answers = try await client.openLoop(try requests(count), perSecond: rate)
        try Self.check(answers.map(\.answer))
        return answers.map { Double($0.nanoseconds) / 1e6 }
    }

    func stop() async throws {
        try await client.close()
        try process.stop()
    }

    private func requests(_ count: Int) throws -> [ByteBuffer] {
        defer { sent += count }
        return try setup.payments(sent..<sent + count, port: process.port, at: Date())
    }

    /// Refuses anything but a payment that was taken in and can be shown on the sheet.
    private static func check(_ answers: [LoadClient.Answer]) throws {
        for answer in answers {
            let text = String(buffer: answer.body)
            guard answer.status == 200, text.contains("PAYMENT_IN_PROCESS"), text.contains("\"paymentData\"") else {
                throw MeasuredProcess.Failure(reason: "a payment was answered with \(answer.status) \(text)")
            }
        }
    }
}
