import NIOCore
import NIOSSL

/// Puts TLS into a connection when its first bytes are there, so that one that says nothing costs no handshake's memory.
final class LateTLS: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let certificate: ServerCertificate

    init(_ certificate: ServerCertificate) { self.certificate = certificate }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context), position: .after(self))
            context.fireChannelRead(data)
            _ = pipeline.removeHandler(context: context)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
