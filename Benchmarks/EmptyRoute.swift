import Hummingbird
import NIOCore

/// What of an exchange over HTTP no route can avoid: the request's bytes arrive and are read whole, and an answer as long as the real one
/// leaves. Nothing is done in between.
enum EmptyRoute {
    /// A request of the job, and how long its answer was.
    struct Sample: Sendable {
        var request: ByteBuffer
        var answerBytes: Int

        init(_ request: ByteBuffer, answeredBy answer: ByteBuffer) {
            self.request = request
            answerBytes = answer.readableBytes
        }

        /// The same header fields and body, sent to the empty route.
        var emptied: ByteBuffer { sent(to: "/empty/\(answerBytes)") }

        /// The same header fields and body, sent to a step of the bare route.
        func bared(_ step: Int) -> ByteBuffer { sent(to: "/bare/\(step)/\(answerBytes)") }

        private func sent(to path: String) -> ByteBuffer {
            let bytes = request.readableBytesView
            guard let end = bytes.firstIndex(of: 13) else { return request }
            var other = ByteBuffer(string: "POST \(path) HTTP/1.1")
            other.writeBytes(bytes[end...])
            return other
        }
    }

    static func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/empty/:bytes") { request, context in
            let count = try context.parameters.require("bytes", as: Int.self)
            _ = try await request.body.collect(upTo: 1 << 20)
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x20, count: count)))
        }
    }
}
