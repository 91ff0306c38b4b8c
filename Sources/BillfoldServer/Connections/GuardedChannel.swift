import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of ours: held to the budget, over TLS where the listener has a certificate, with the framework's HTTP/1.1 on top.
struct GuardedChannel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let budget: ConnectionBudget
    let limits: ServerLimits
    let certificate: ServerCertificate?
    let hosts: HostNames

    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ConnectionWatch(budget: budget, limits: limits, isTLS: certificate != nil))
            if let certificate { try pipeline.addHandler(LateTLS(certificate)) }
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            // Before the framework takes the request line apart.
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestTargetGuard(hosts: hosts), position: .after(decoder))
            try pipeline.handler(type: ConnectionWatch.self).hold(value)
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
