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
    public var operatorIdentity: OperatorIdentity?
    /// The session, where somebody signed in.
    public var operatorSession: OperatorSession?

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
