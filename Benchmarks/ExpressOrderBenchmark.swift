import Foundation
import NIOCore

/// The whole path of an express order through the gateway, from the signed order string to the merchant's `success`.
///
/// One payment is three requests of the wallet (the order is shown, the trade is made at the password step, the trade is paid) and one
/// notification to the merchant. The gateway verifies the order's RSA2 signature, stores order, trade and payment in a durable write
/// each, signs the result that the wallet takes to the merchant's app, signs the notification, delivers it, and stores its receipt.
struct ExpressOrderBenchmark {
    static let floor = 0.6
    static let routes = 3
    static let signatures = 2

    var folder: URL
    var blocks = 15
    var perBlock = 2_000
    var merchants = 8
    var connections = 128

    /// Seconds that one operation took, in one block.
    private struct Block {
        var payment: Double
        /// All that cannot be avoided, done by the bare route.
        var together: Double
        var verify: Double
        var transition: Double
        /// By OpenSSL and by swift-crypto, of which the gateway takes the faster by a trial of its own.
        var sign: Double
        var swiftSign: Double
        var delivery: Double
        var emptyRoute: Double

        /// The parts timed alone, with the faster of the two signers. One durable transition only, the payment's: the smaller writes
        /// of order, trade and receipt are not in it, nor in what is done together.
        var apart: Double {
            verify + transition + Double(ExpressOrderBenchmark.signatures) * min(sign, swiftSign) + delivery
                + Double(ExpressOrderBenchmark.routes) * emptyRoute
        }
    }

    /// Measures throughput against the bound, and latency. Returns whether the floor holds.
    func run() async throws -> Bool {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let gateway = try await OrderGateway(
            folder: folder.appending(path: "express-orders"), merchants: merchants, connections: connections, processors: processors.server,
            loops: loops)
        let (perVerification, perSignature, perTransition, perDelivery, perRoute) = (4_000, 500, 4_000, 2_000, 5_000)
        _ = try gateway.command("prepare", (perTransition + perBlock) * (blocks + 1))
        var measured: [Block] = []
        for number in 0...blocks {
            let orders = try await gateway.prepare(perBlock)
            let block = Block(
                payment: try await gateway.pay(orders) / Double(perBlock),
                together: try await gateway.askBareRoute(perBlock * Self.routes) / Double(perBlock),
                verify: try gateway.command("verify", perVerification) / Double(perVerification),
                transition: try gateway.command("transition", perTransition) / Double(perTransition),
                sign: try gateway.command("sign", perSignature) / Double(perSignature),
                swiftSign: try gateway.command("sign-swift", perSignature) / Double(perSignature),
                delivery: try gateway.command("deliver", perDelivery) / Double(perDelivery),
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

    /// Orders by this program and by other builds of it, by turns.
    func compare(with programs: [String]) async throws {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let perTurn = 500
        let turns = Turns<OrderGateway>(
            unit: "express orders", rounds: 60,
            start: { program, folder in
                try await OrderGateway(
                    folder: folder, merchants: merchants, connections: connections, program: program, processors: processors.server,
                    loops: loops)
            }, work: { try await $0.pay($0.prepare(perTurn)) / Double(perTurn) }, stop: { try await $0.stop() })
        try await turns.run(in: folder, with: programs)
        try await loops.close()
    }

    private func report(_ blocks: [Block]) -> Bool {
        func rate(_ part: KeyPath<Block, Double>) -> Int { Int(1 / median(blocks.map { $0[keyPath: part] })) }
        let ratios = PathRatios(blocks.map { ($0.payment, $0.together, $0.apart) }, floor: Self.floor)
        let signers = (openSSL: rate(\.sign), swiftCrypto: rate(\.swiftSign))
        print(
            """
            whole express order, SQLite, one processor for the gateway: \(rate(\.payment)) per second, \(connections) at once, \
            \(merchants) merchants
                \(ratios.text)
                timed alone: 1 RSA-2048 verification (\(rate(\.verify)) per second) + 1 durable transition through the SQLite C API, \
            \(TransitionBenchmark.group) to a synced commit (\(rate(\.transition))) + \(Self.signatures) RSA-2048 signatures + 1 empty post to \
            the merchant (\(rate(\.delivery))) + \(Self.routes) empty routes (\(rate(\.emptyRoute))), all by the same process
                RSA-2048 signatures: OpenSSL \(signers.openSSL) per second, swift-crypto \(signers.swiftCrypto); the gateway took the faster by \
            a trial at its start
            """)
        return ratios.holds
    }

    /// At least 10,000 payments and 30 seconds of them, begun at half of the greatest rate whatever is answered.
    private func openLoop(_ gateway: OrderGateway, rate: Double) async throws {
        let count = max(10_000, Int(rate * 30))
        let times = try await gateway.pay(gateway.prepare(count), perSecond: rate)
        print("open loop, \(count) payments at \(Int(rate)) per second (half of the rate above), timed from when each was due:")
        for (name, samples) in [("to the signed result", times.answered), ("to the merchant's notification", times.notified)] {
            let sorted = samples.sorted()
            let shares = [(0.5, "p50"), (0.99, "p99"), (0.999, "p99.9"), (1, "longest")]
            let line = shares.map { "\($0.1) \(String(format: "%.1f", percentile(sorted, $0.0))) ms" }.joined(separator: ", ")
            print("    \(name): \(line)")
        }
    }
}
