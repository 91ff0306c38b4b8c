import NIOCore
import NIOPosix

/// The merchants' servers as cheap as they can be: one end point that answers `success` to whatever is posted, and tells which order
/// it was. It runs on the processors that the gateway does not have, and all state is touched on the event loop.
final class QuickMerchant: @unchecked Sendable {
    private let reply = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsuccess")
    private var listening: (any Channel)?
    /// Called with the order's number for every notification.
    private var notified: (String) -> Void = { _ in }

    /// Listens on a free port of the loopback and returns it.
    func listen(on eventLoop: any EventLoop) async throws -> Int {
        let channel = try await ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 512)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(NotificationReader(self)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await eventLoop.submit { self.listening = channel }.get()
        return channel.localAddress?.port ?? 0
    }

    /// On the event loop only.
    func onNotification(_ notified: @escaping (String) -> Void) { self.notified = notified }

    func close() async throws { try await listening?.close() }

    fileprivate func answer(_ body: ByteBuffer, on context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(reply), promise: nil)
        if let number = FormBytes.value("out_trade_no", in: body.readableBytesView) { notified(number) }
    }
}

private final class NotificationReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let merchant: QuickMerchant
    private var held = ByteBuffer()

    init(_ merchant: QuickMerchant) { self.merchant = merchant }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        held.writeBuffer(&buffer)
        while let message = HTTPBytes.message(&held) { merchant.answer(message.body, on: context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Values of forms and of JSON that need no escapes, found without a parser: both ends here are known.
enum FormBytes {
    /// The value of a form's field that is not the first.
    static func value(_ name: String, in body: ByteBufferView) -> String? {
        text(behind: "&\(name)=", until: UInt8(ascii: "&"), in: body)
    }

    /// The value of a JSON object's text.
    static func text(_ name: String, in body: ByteBufferView) -> String? {
        text(behind: "\"\(name)\":\"", until: UInt8(ascii: "\""), in: body)
    }

    private static func text(behind key: String, until end: UInt8, in body: ByteBufferView) -> String? {
        let key = Array(key.utf8)
        return body.withUnsafeBytes { bytes in
            var index = 0
            while index + key.count <= bytes.count {
                if bytes[index] == key[0], key.indices.allSatisfy({ bytes[index + $0] == key[$0] }) {
                    return String(decoding: bytes[(index + key.count)...].prefix { $0 != end }, as: UTF8.self)
                }
                index += 1
            }
            return nil
        }
    }
}
