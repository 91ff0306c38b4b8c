import NIOCore
import NIOPosix

/// Sends requests whose bytes are made beforehand over connections that stay open, on one event loop.
///
/// One request at a time per connection; what finds no free connection waits in line. All state is touched on the event loop.
final class LoadClient: @unchecked Sendable {
    struct Answer: Sendable {
        var status: Int
        /// The status line and the header fields.
        var head: String { String(decoding: headBytes, as: UTF8.self) }
        var body: ByteBuffer
        var at: NIODeadline
        fileprivate var headBytes: ByteBufferView
    }

    struct Failure: Error {
        var reason: String
    }

    private struct Waiting {
        var request: ByteBuffer
        var done: (Answer?) -> Void
    }

    let eventLoop: any EventLoop
    private var free: [any Channel] = []
    private var underWay: [ObjectIdentifier: (Answer?) -> Void] = [:]
    private var line = CircularBuffer<Waiting>()
    private var channels: [any Channel] = []

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    static func connect(to port: Int, connections: Int, on eventLoop: any EventLoop) async throws -> LoadClient {
        let client = LoadClient(eventLoop)
        for _ in 0..<connections {
            let channel = try await ClientBootstrap(group: eventLoop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AnswerReader(client)) }
                }
                .connect(host: "127.0.0.1", port: port).get()
            try await eventLoop.submit {
                client.channels.append(channel)
                client.free.append(channel)
            }.get()
        }
        return client
    }

    /// Sends one request; `done` gets nil where the connection ended instead. On the event loop only.
    func send(_ request: ByteBuffer, done: @escaping (Answer?) -> Void) {
        eventLoop.assertInEventLoop()
        if let channel = free.popLast() {
            start(Waiting(request: request, done: done), on: channel)
        } else if channels.isEmpty {
            done(nil)
        } else {
            line.append(Waiting(request: request, done: done))
        }
    }

    /// Sends all requests as fast as answers come, and returns the answers and the seconds it took.
    func closedLoop(_ requests: [ByteBuffer]) async throws -> (answers: [Answer], seconds: Double) {
        let promise = eventLoop.makePromise(of: ([Answer], Double).self)
        eventLoop.execute { [self] in
            let start = NIODeadline.now()
            var answers: [Answer?] = Array(repeating: nil, count: requests.count)
            var left = requests.count
            for (index, request) in requests.enumerated() {
                send(request) { answer in
                    answers[index] = answer
                    left -= 1
                    guard left == 0 else { return }
                    let known = answers.compactMap(\.self)
                    guard known.count == answers.count else { return promise.fail(Failure(reason: "a connection ended")) }
                    promise.succeed((known, Double((NIODeadline.now() - start).nanoseconds) / 1e9))
                }
            }
        }
        return try await promise.futureResult.get()
    }

    /// Sends the requests on a fixed schedule, whatever is answered, and returns the answers with each one's time in
    /// nanoseconds **from the moment at which it was due to be sent**: a late answer cannot hide the wait of those behind it.
    func openLoop(_ requests: [ByteBuffer], perSecond rate: Double) async throws -> [(answer: Answer, nanoseconds: Int64)] {
        let promise = eventLoop.makePromise(of: [(answer: Answer, nanoseconds: Int64)].self)
        eventLoop.execute { [self] in
            let start = NIODeadline.now() + .milliseconds(10)
            let due = requests.indices.map { start + .nanoseconds(Int64(Double($0) * 1e9 / rate)) }
            var answers: [(answer: Answer, nanoseconds: Int64)] = []
            var next = 0
            var left = requests.count
            func tick() {
                let now = NIODeadline.now()
                while next < requests.count, due[next] <= now {
                    let meant = due[next]
                    send(requests[next]) { answer in
                        left -= 1
                        if let answer { answers.append((answer, (answer.at - meant).nanoseconds)) }
                        guard left == 0 else { return }
                        guard answers.count == requests.count else { return promise.fail(Failure(reason: "a connection ended")) }
                        promise.succeed(answers)
                    }
                    next += 1
                }
                if next < requests.count { eventLoop.assumeIsolated().scheduleTask(deadline: due[next]) { tick() } }
            }
            tick()
        }
        return try await promise.futureResult.get()
    }

    func close() async throws {
        let channels = try await eventLoop.submit { self.channels }.get()
        for channel in channels { try? await channel.close() }
    }

    private func start(_ waiting: Waiting, on channel: any Channel) {
        underWay[ObjectIdentifier(channel)] = waiting.done
        channel.writeAndFlush(waiting.request, promise: nil)
    }

    fileprivate func finished(_ channel: any Channel, _ answer: Answer?) {
        let done = underWay.removeValue(forKey: ObjectIdentifier(channel))
        if answer != nil {
            if line.isEmpty { free.append(channel) } else { start(line.removeFirst(), on: channel) }
        } else {
            free.removeAll { $0 === channel }
            channels.removeAll { $0 === channel }
        }
        done?(answer)
        // Without a connection nobody would ever take what waits.
        while channels.isEmpty, !line.isEmpty { line.removeFirst().done(nil) }
    }
}

/// Cuts answers out of what arrives: a status line, header fields with a `content-length`, a body.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: LoadClient
    private var held = ByteBuffer()

    init(_ client: LoadClient) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        held.writeBuffer(&buffer)
        guard let message = HTTPBytes.message(&held) else { return }
        // "HTTP/1.1 200"
        let status = message.head.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
        client.finished(context.channel, .init(status: status, body: message.body, at: .now(), headBytes: message.head))
    }

    func channelInactive(context: ChannelHandlerContext) { client.finished(context.channel, nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// HTTP/1.1 messages with a `content-length`, read and written without a parser: both ends here are known.
enum HTTPBytes {
    /// Takes the first whole message out of a buffer.
    static func message(_ buffer: inout ByteBuffer) -> (head: ByteBufferView, body: ByteBuffer)? {
        let view = buffer.readableBytesView
        guard let end = endOfHead(view) else { return nil }
        let head = view[..<end]
        let length = contentLength(head)
        guard view.endIndex - end >= length else { return nil }
        buffer.moveReaderIndex(forwardBy: head.count)
        guard let body = buffer.readSlice(length: length) else { return nil }
        if buffer.readableBytes == 0 { buffer.clear() }
        return (head, body)
    }

    static func request(
        _ method: String, _ path: String, port: Int, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> ByteBuffer {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        var buffer = ByteBuffer(
            string: "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)Content-Length: \(body.count)\r\n\r\n")
        buffer.writeBytes(body)
        return buffer
    }

    private static func endOfHead(_ view: ByteBufferView) -> Int? {
        view.withUnsafeBytes { bytes in
            guard bytes.count >= 4 else { return nil }
            for index in 3..<bytes.count where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 {
                return view.startIndex + index + 1
            }
            return nil
        }
    }

    private static func contentLength(_ head: ByteBufferView) -> Int {
        let name = Array("\ncontent-length:".utf8)
        return head.withUnsafeBytes { bytes in
            var index = 0
            while index + name.count < bytes.count {
                if bytes[index] == 10, name.indices.allSatisfy({ bytes[index + $0] | (name[$0] & 0x20) == name[$0] }) {
                    var value = 0
                    for byte in bytes[(index + name.count)...] where byte != 32 {
                        guard (48...57).contains(byte) else { return value }
                        value = value * 10 + Int(byte) - 48
                    }
                    return value
                }
                index += 1
            }
            return 0
        }
    }
}
