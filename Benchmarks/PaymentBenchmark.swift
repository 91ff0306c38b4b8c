import Foundation
import NIOCore

/// The whole HTTP payment, from the phone's request to the answer that it succeeded.
///
/// One payment is two requests to the server (the phone's, and the acquirer's notification) and one by it (the deduct). It
/// opens one token, makes three durable transitions (submitted with the token and the idempotency key; accepted; succeeded
/// with its postings), signs once and verifies two signatures of the acquirer.
struct PaymentBenchmark {
    static let floor = 0.6
    static let transitions = 3
    static let routes = 2
    static let verifications = 2
    /// Of the memory after the warm-up.
    static let memoryFloor = 0.1

    var folder: URL
    var blocks = 15
    /// While a block begins and while it ends, fewer payments are under way than there are connections.
    var perBlock = 2_000
    var connections = 128

    /// Seconds that one operation took, in one block.
    struct Block {
        var payment: Double
        var token: Double
        var transition: Double
        var emptyRoute: Double
        /// An empty post to the acquirer, by the HTTP client that deducts are sent with.
        var post: Double
        /// By OpenSSL and by swift-crypto, of which the server takes the faster by a trial of its own.
        var sign: Double
        var swiftSign: Double
        var verify: Double

        /// What the parts cost that a payment cannot avoid: without RSA, and with it.
        var bound: Double {
            token + Double(PaymentBenchmark.transitions) * transition + Double(PaymentBenchmark.routes) * emptyRoute + post
        }
        var boundWithRSA: Double { bound + min(sign, swiftSign) + Double(PaymentBenchmark.verifications) * verify }
    }

    /// Which processors the server has, and which all else has.
    static var processors: (server: [Int], others: [Int]) {
        let allowed = Processor.allowed
        guard allowed.count > 1 else { return (allowed, allowed) }
        return (Array(allowed.suffix(1)), Array(allowed.dropLast()))
    }

    /// Measures throughput and latency. Returns whether the floor holds.
    func run() async throws -> Bool {
        let processors = Self.processors
        let loops = try await EventLoops(processors: processors.others)
        let server = try await PaymentServer(
            folder: folder.appending(path: "payments"), connections: connections, processors: processors.server, loops: loops)
        let perToken = 1_000
        let perTransition = 4_000
        let perRoute = 5_000
        let perPost = 2_000
        let perSignature = 500
        _ = try server.command("prepare", perTransition * (blocks + 1))
        var measured: [Block] = []
        for number in 0...blocks {
            let requests = try await server.preparePayments(perBlock)
            let block = Block(
                payment: try await server.pay(requests) / Double(perBlock),
                token: try server.command("token", perToken) / Double(perToken),
                transition: try server.command("transition", perTransition) / Double(perTransition),
                emptyRoute: try await server.askEmptyRoute(perRoute) / Double(perRoute),
                post: try server.command("post", perPost) / Double(perPost),
                sign: try server.command("sign", perSignature) / Double(perSignature),
                swiftSign: try server.command("sign-swift", perSignature) / Double(perSignature),
                verify: try server.command("verify", perSignature) / Double(perSignature))
            // The first warms up.
            if number > 0 { measured.append(block) }
        }
        let holds = report(measured)
        let rate = 0.5 / median(measured.map(\.payment))
        try await openLoop(server, rate: rate)
        try await server.stop()
        try await loops.close()
        return holds
    }

    /// Payments by this program and by other builds of it, by turns.
    func compare(with programs: [String]) async throws {
        let processors = Self.processors
        let loops = try await EventLoops(processors: processors.others)
        let perTurn = 500
        let turns = Turns<PaymentServer>(
            unit: "payments", rounds: 40,
            start: { program, folder in
                try await PaymentServer(
                    folder: folder, connections: connections, program: program, processors: processors.server, loops: loops)
            }, work: { try await $0.pay($0.preparePayments(perTurn)) / Double(perTurn) }, stop: { try await $0.stop() })
        try await turns.run(in: folder, with: programs)
        try await loops.close()
    }

    private func report(_ blocks: [Block]) -> Bool {
        func rate(_ part: KeyPath<Block, Double>) -> Int { Int(1 / median(blocks.map { $0[keyPath: part] })) }
        func ratios(_ bound: KeyPath<Block, Double>) -> [Double] { blocks.map { $0[keyPath: bound] / $0.payment }.sorted() }
        func text(_ ratios: [Double]) -> String {
            let ends = [ratios.first, ratios.last].map { String(format: "%.2f", $0 ?? 0) }
            return "\(String(format: "%.2f", median(ratios))) (blocks from \(ends[0]) to \(ends[1]))"
        }
        let (plain, whole) = (ratios(\.bound), ratios(\.boundWithRSA))
        let holds = median(whole) >= Self.floor
        print(
            """
            whole HTTP payment, SQLite, one processor for the server: \(rate(\.payment)) per second, \(connections) at once
                with RSA in the bound: \(rate(\.boundWithRSA)) per second, ratio \(text(whole)) (floor \(Self.floor)\(holds ? "" : ", MISSED"))
                without RSA in the bound: \(rate(\.bound)) per second, ratio \(text(plain)) (no floor)
                bound: 1 token (\(rate(\.token)) per second; cached intermediate, a leaf not seen before) \
            + \(Self.transitions) durable transitions (\(rate(\.transition))) + \(Self.routes) empty routes (\(rate(\.emptyRoute))) \
            + 1 empty post to the acquirer (\(rate(\.post))), with RSA + 1 RSA-2048 signature + \(Self.verifications) verifications (\(rate(\.verify))), all by the same process
                RSA-2048 signatures: OpenSSL \(rate(\.sign)) per second, swift-crypto \(rate(\.swiftSign)); the server took the faster by a trial at its start
            """)
        return holds
    }

    /// At least 10,000 payments and 30 seconds of them, sent at half of the greatest rate whatever is answered.
    private func openLoop(_ server: PaymentServer, rate: Double) async throws {
        let count = max(10_000, Int(rate * 30))
        let requests = try await server.preparePayments(count)
        let answers = try await server.client.openLoop(requests, perSecond: rate)
        try server.check(answers.map(\.answer))
        let sorted = answers.map { Double($0.nanoseconds) / 1e6 }.sorted()
        let shares = [(0.5, "p50"), (0.99, "p99"), (0.999, "p99.9"), (1, "longest")]
        let line = shares.map { "\($0.1) \(String(format: "%.1f", percentile(sorted, $0.0))) ms" }.joined(separator: ", ")
        print(
            "open loop, \(count) payments at \(Int(rate)) per second (half of the rate above), timed from when each was due: \(line)")
    }

    /// Pays 100,000 times at one server and tells its memory. Returns whether it stayed flat once what is bounded (the trace, SQLite's
    /// pages) was full.
    func memory(payments: Int = 100_000, warmUp: Int = 20_000, step: Int = 10_000) async throws -> Bool {
        let processors = Self.processors
        let loops = try await EventLoops(processors: processors.others)
        let server = try await PaymentServer(
            folder: folder.appending(path: "memory"), connections: connections, processors: processors.server, loops: loops)
        var resident: [Int] = []
        while server.paid < payments {
            for _ in stride(from: 0, to: step, by: 2_500) { _ = try await server.pay(server.preparePayments(2_500)) }
            guard let now = server.residentKibibytes else {
                print("memory of the server: this system does not tell it")
                break
            }
            resident.append(now)
        }
        try await server.stop()
        try await loops.close()
        guard let first = resident.dropFirst(warmUp / step - 1).first, let last = resident.last else { return true }
        let growth = Double(last - first) / Double(first)
        let holds = abs(growth) <= Self.memoryFloor
        print(
            """
            memory of the server after \(payments) payments: \(last / 1024) MiB, \(String(format: "%+.1f", growth * 100)) % \
            against after \(warmUp) (at most 10 %\(holds ? "" : ", MISSED"))
                every \(step) payments, in MiB: \(resident.map { String($0 / 1024) }.joined(separator: " "))
            """)
        return holds
    }
}
