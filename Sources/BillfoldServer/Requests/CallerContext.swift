import BillfoldConcurrency
public import Hummingbird
public import NIOCore

/// A request context that knows who connected. The shared middlewares work with any context that conforms.
public protocol CallerContext: RequestContext {
    /// The client's address: the peer's, or the one that a trusted proxy names. `nil` where there is no socket.
    var remoteAddress: SocketAddress? { get set }
}

/// The context of every route of ours.
public struct ServerRequestContext: CallerContext {
    public var coreContext: CoreRequestContextStorage
    public var remoteAddress: SocketAddress?
    /// Who acts, once ``OperatorAuthentication`` has found out; `nil` on the public API.
    package var operatorIdentity: OperatorIdentity?
    /// The session, where somebody signed in.
    package var operatorSession: OperatorSession?
    private let channel: any Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// Runs work that only this request's reader wants. It is cancelled when the connection ends or its reader closes their side of it.
    ///
    /// - Throws: ``ServerError`` with `unavailable` when the reader has gone; what the work throws.
    func whileReaderWaits<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let (waits, leaving) = AsyncStream.makeStream(of: Never.self)
        channel.eventLoop.execute { [channel] in
            let watch = try? channel.pipeline.syncOperations.handler(type: ConnectionWatch.self)
            guard let gone = watch?.readerHasGone() else { return leaving.finish() }
            gone.whenComplete { _ in leaving.finish() }
        }
        return try await firstToEnd(
            work,
            or: {
                for await _ in waits {}
                // For the log; there is nobody to answer.
                throw ServerError(code: .unavailable, reason: "whoever asked has gone", status: .serviceUnavailable)
            })
    }
}
