import Foundation
import NIOCore
import NIOPosix

/// The order gateway's process as its wallet and its merchants see it: started, told what to do, and paid through.
///
/// All that is counted during payments is touched on the client's event loop, where the merchants' end point listens too.
final class OrderGateway: @unchecked Sendable {
    typealias Failure = MeasuredProcess.Failure

    /// An order that a customer is about to pay.
    struct Order: Sendable {
        var number: String
        /// The wallet's first request: the order string to be checked.
        var request: ByteBuffer
    }

    /// Milliseconds from when a payment was due.
    struct Times: Sendable {
        /// Until the wallet had the signed result.
        var answered: [Double] = []
        /// Until the merchant had the notification.
        var notified: [Double] = []
    }

    private let setup: ExpressOrderSetup
    private let process: MeasuredProcess
    private let merchant = QuickMerchant()
    private let client: LoadClient
    private let connections: Int
    private var prepared = 0
    private var run: Run?
    /// The three requests of one payment.
    private var samples: [EmptyRoute.Sample] = []

    /// Payments under way.
    private final class Run {
        let orders: [Order]
        /// When each is due, in the order of the orders; all at once where there is no schedule.
        let due: [NIODeadline]
        let promise: EventLoopPromise<Times>
        var next = 0
        var times = Times()
        var dueByNumber: [String: NIODeadline] = [:]

        init(_ orders: [Order], due: [NIODeadline], promise: EventLoopPromise<Times>) {
            (self.orders, self.due, self.promise) = (orders, due, promise)
        }
    }

    /// Starts a gateway on an empty store, with so many connections to it.
    init(
        folder: URL, merchants: Int, connections: Int, program: String = MeasuredProcess.thisProgram, processors: [Int], loops: EventLoops
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setup = try ExpressOrderSetup(merchants: merchants, merchantPort: try await merchant.listen(on: loops.client))
        try JSONEncoder().encode(setup).write(to: folder.appending(path: "setup.json"))
        process = try MeasuredProcess(["order-gateway", folder.path], program: program, processors: processors)
        client = try await LoadClient.connect(to: process.port, connections: connections, on: loops.client)
        self.connections = connections
        try await loops.client.submit { self.merchant.onNotification { [unowned self] in notified($0) } }.get()
    }

    func command(_ name: String, _ count: Int) throws -> Double { try process.command(name, count) }

    func askEmptyRoute(_ count: Int) async throws -> Double {
        let samples = try await client.eventLoop.submit { self.samples }.get()
        return try await process.askEmptyRoute(count, like: samples, by: client)
    }

    func askBareRoute(_ count: Int) async throws -> Double {
        let samples = try await client.eventLoop.submit { self.samples }.get()
        return try await process.askBareRoute(count, like: samples, by: client)
    }

    /// Has the merchants sign order strings, before any clock starts.
    func prepare(_ count: Int) async throws -> [Order] {
        let first = prepared
        prepared += count
        return try await setup.orders(first..<prepared, at: Date()).map { number, text in
            Order(number: number, request: post("orders", #"{"requestId":"o-\#(number)","order":"\#(text)","channel":"app"}"#))
        }
    }

    /// Has the orders paid, as many at once as there are connections, until each merchant has its notification. Returns the seconds.
    func pay(_ orders: [Order]) async throws -> Double {
        let begin = NIODeadline.now()
        _ = try await start(orders, due: orders.map { _ in begin }, atOnce: connections)
        return Double((NIODeadline.now() - begin).nanoseconds) / 1e9
    }

    /// Begins each payment when it is due, whatever is answered.
    func pay(_ orders: [Order], perSecond rate: Double) async throws -> Times {
        let begin = NIODeadline.now() + .milliseconds(10)
        return try await start(
            orders, due: orders.indices.map { begin + .nanoseconds(Int64(Double($0) * 1e9 / rate)) }, atOnce: nil)
    }

    func stop() async throws {
        try await client.close()
        try process.stop()
        try await merchant.close()
    }

    // MARK: On the event loop

    private func start(_ orders: [Order], due: [NIODeadline], atOnce limit: Int?) async throws -> Times {
        let promise = client.eventLoop.makePromise(of: Times.self)
        client.eventLoop.execute { [self] in
            let run = Run(orders, due: due, promise: promise)
            self.run = run
            if let limit { for _ in 0..<min(limit, orders.count) { payNext(run, isChained: true) } } else { payWhatIsDue(run) }
        }
        return try await promise.futureResult.get()
    }

    private func payWhatIsDue(_ run: Run) {
        let now = NIODeadline.now()
        while run.next < run.orders.count, run.due[run.next] <= now { payNext(run, isChained: false) }
        guard run.next < run.orders.count else { return }
        client.eventLoop.assumeIsolated().scheduleTask(deadline: run.due[run.next]) { self.payWhatIsDue(run) }
    }

    /// Three requests, as a wallet makes them: the order is shown, the customer reaches the password, the customer pays.
    private func payNext(_ run: Run, isChained: Bool) {
        guard run.next < run.orders.count else { return }
        let (order, due) = (run.orders[run.next], run.due[run.next])
        run.next += 1
        run.dueByNumber[order.number] = due
        client.send(order.request) { [self] shown in
            guard let reference = text("ref", in: shown, run) else { return }
            let opening = post(
                "trades",
                #"{"requestId":"t-\#(order.number)","ref":"\#(reference)","buyer":{"id":"2088000000000001","logonID":"155****0001"}}"#)
            client.send(opening) { [self] opened in
                guard let number = text("tradeNo", in: opened, run) else { return }
                let amount = #"{"value":"\#(ExpressOrderSetup.price)","currency":"CNY"}"#
                let payment = post(
                    "payments",
                    #"{"requestId":"p-\#(order.number)","tradeNo":"\#(number)","buyerID":"2088000000000001","amount":\#(amount),"#
                        + #""funds":[{"channel":"ALIPAYACCOUNT","amount":\#(amount)}]}"#)
                client.send(payment) { [self] paid in
                    guard text("resultStatus", in: paid, run) == "9000" else {
                        return run.promise.fail(Failure(reason: "a payment has another result"))
                    }
                    if samples.isEmpty {
                        samples = zip([order.request, opening, payment], [shown, opened, paid]).compactMap { request, answer in
                            answer.map { EmptyRoute.Sample(request, answeredBy: $0.body) }
                        }
                    }
                    run.times.answered.append(Double((NIODeadline.now() - due).nanoseconds) / 1e6)
                    if isChained { payNext(run, isChained: true) }
                    finish(run)
                }
            }
        }
    }

    private func notified(_ number: String) {
        guard let run, let due = run.dueByNumber.removeValue(forKey: number) else { return }
        run.times.notified.append(Double((NIODeadline.now() - due).nanoseconds) / 1e6)
        finish(run)
    }

    private func finish(_ run: Run) {
        guard run.times.answered.count == run.orders.count, run.times.notified.count == run.orders.count else { return }
        run.promise.succeed(run.times)
    }

    /// A text of an answer; where there is none, everything fails.
    private func text(_ name: String, in answer: LoadClient.Answer?, _ run: Run) -> String? {
        if let answer, answer.status == 200, let text = FormBytes.text(name, in: answer.body.readableBytesView) { return text }
        run.promise.fail(Failure(reason: "no \(name) in \(answer.map { "\($0.status) \(String(buffer: $0.body))" } ?? "no answer")"))
        return nil
    }

    private func post(_ path: String, _ body: String) -> ByteBuffer {
        HTTPBytes.request(
            "POST", "/link/v1/\(path)", port: process.port,
            headers: [("Authorization", "Bearer \(ExpressOrderSetup.bearer)"), ("Content-Type", "application/json")], body: Array(body.utf8)
        )
    }
}
