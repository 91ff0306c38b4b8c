import Crypto
import Foundation
import NIOCore
import NIOPosix
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import UnionPay
import X509

/// The acquirer as cheap as it can be: it answers every deduct with one reply that was signed beforehand, reads nothing of
/// the request but the order's number and time, and then sends the signed notification that settles the payment.
///
/// What remains is one RSA signature per notification, since each names its own order. It runs on the processors that the
/// server does not have. All state is touched on the event loop.
final class QuickGateway: @unchecked Sendable {
    static let amount = "3300"

    private let key: OpenSSLRSAKey
    private let reply: ByteBuffer
    /// Transactions so far: each has a number of its own, or they would be one story to the trace.
    private var transactions = 0
    /// The notification's fields but those of the order, sorted by name.
    private let fields: [(name: String, value: String, escaped: String)]
    private var listening: (any Channel)?
    private var notifications: LoadClient?
    private var port = 0
    private(set) var refused = 0
    /// The last notification that was taken.
    private var taken: EmptyRoute.Sample?

    /// - Parameter merchant: `merId`, as in the requests.
    init(keys: PaymentSetup.GatewayKeys, merchant: String) throws {
        let certificate = try Certificate(derEncoded: Array(keys.certificate))
        let replies = try ReplySigner(
            key: Certificate.PrivateKey(derBytes: Array(keys.key)), certificate: certificate)
        key = try OpenSSLRSAKey(der: Array(keys.key))
        // A reply need not repeat the order, so one signature serves them all.
        let body = try ReplyBody.encode(
            replies.signed([
                "version": "5.1.0", "encoding": "UTF-8", "merId": merchant, "txnType": "01", "respCode": "00", "respMsg": "成功[0000000]",
            ]))
        reply = ByteBuffer(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
        var message: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "merId": merchant, "txnType": "01", "txnSubType": "01", "bizType": "000201",
            "accessType": "0", "respCode": "00", "respMsg": "成功[0000000]", "currencyCode": "156", "settleCurrencyCode": "156",
            "settleDate": "1121", "traceNo": "123456", "traceTime": "1121040000", "queryId": "", "txnAmt": Self.amount,
            "settleAmt": Self.amount, "orderId": "", "txnTime": "",
        ]
        message = try replies.signed(message)
        message["signature"] = nil
        fields = try message.sorted.map { entry in
            let form = try FormBody.encode(["encoding": "UTF-8", "value": entry.value])
            return (entry.name, entry.value, String(form.drop { $0 != "&" }.dropFirst("&value=".count)))
        }
    }

    /// Listens on a free port of the loopback and returns it.
    func listen(on eventLoop: any EventLoop) async throws -> Int {
        let channel = try await ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 512)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(DeductReader(self)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await eventLoop.submit { self.listening = channel }.get()
        return channel.localAddress?.port ?? 0
    }

    /// Where notifications go: a new server each time one is started.
    func notify(_ client: LoadClient?, port: Int) async throws {
        guard let eventLoop = listening?.eventLoop else { return }
        try await eventLoop.submit {
            self.notifications = client
            self.port = port
        }.get()
    }

    /// A notification that was taken, and its answer.
    func notification() async throws -> EmptyRoute.Sample? { try await listening?.eventLoop.submit { self.taken }.get() }

    func close() async throws { try await listening?.close() }

    fileprivate func answer(_ deduct: ByteBuffer, on context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(reply), promise: nil)
        let body = deduct.readableBytesView
        let (order, time) = (FormBytes.value("orderId", in: body) ?? "", FormBytes.value("txnTime", in: body) ?? "")
        // An empty post is answered like a deduct, and settles nothing.
        if body.isEmpty { return }
        guard let notifications, let request = try? notification(order: order, time: time) else {
            refused += 1
            return
        }
        notifications.send(request) { [self] answer in
            if let answer, answer.status == 200 { taken = .init(request, answeredBy: answer.body) } else { refused += 1 }
        }
    }

    private func notification(order: String, time: String) throws -> ByteBuffer {
        transactions += 1
        let digits = String(transactions)
        let queryID = "202611210000" + String(repeating: "0", count: 9 - digits.count) + digits
        func filled(_ name: String, _ other: String) -> String {
            switch name {
            case "orderId": order
            case "txnTime": time
            case "queryId": queryID
            default: other
            }
        }
        let text = fields.map { "\($0.name)=\(filled($0.name, $0.value))" }.joined(separator: "&")
        let digest = Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)))
        let signature = Data(try key.signature(over: Array(digest.utf8), algorithm: .rsaPKCS1SHA256)).base64EncodedString()
        let escaped = signature.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        let form = fields.map { "\($0.name)=\(filled($0.name, $0.escaped))" }.joined(separator: "&") + "&signature=\(escaped)"
        return HTTPBytes.request(
            "POST", "/unionpay/notify", port: port, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")],
            body: Array(form.utf8))
    }
}

private final class DeductReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let gateway: QuickGateway
    private var held = ByteBuffer()

    init(_ gateway: QuickGateway) { self.gateway = gateway }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        held.writeBuffer(&buffer)
        while let message = HTTPBytes.message(&held) { gateway.answer(message.body, on: context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
