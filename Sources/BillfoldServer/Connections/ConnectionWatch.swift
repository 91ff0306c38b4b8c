import NIOCore

/// Holds one connection to its listener's budget, and to the time that a TLS handshake, a header and the rest between requests may take.
///
/// It sits below TLS: whoever says nothing is ended at once, and not waited for. ``RequestGuard`` tells it what of the
/// bytes were requests. All state is touched on the channel's event loop only.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Sent up the pipeline when a header has begun and did not end in time.
    struct HeaderOverdue {}

    private let budget: ConnectionBudget
    private let limits: ServerLimits
    private var awaitsHandshake: Bool
    private var slot: Int?
    /// Those whose answer was not sent.
    private var requestsInFlight = 0
    /// Those whose answer was not written; answers come in order, so that they are the last ones.
    private var requestsUnanswered = 0
    /// Those of them that have come whole.
    private var requestsToAnswer = 0
    private var isReadingBody = false
    private var hasBegunHeader = false
    private var context: ChannelHandlerContext?
    /// Whether it is timed because no request has followed on the last one yet.
    private var isResting = false
    /// Whether what comes is dropped.
    private var isDeaf = false
    /// Whether another connection was taken in for this one, which had a request by then. It begins no further one.
    private(set) var endsWhenAnswered = false
    /// When the connection ends unless it has come further.
    private var deadline: MovingDeadline?
    private var readerHasLeft = false
    private var readerLeaves: EventLoopPromise<Void>?
    private var held: (any Sendable)?

    init(budget: ConnectionBudget, limits: ServerLimits, isTLS: Bool) {
        self.budget = budget
        self.limits = limits
        awaitsHandshake = isTLS
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = MovingDeadline(on: context.eventLoop) { [weak self] in self?.expire() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        // The handlers above are removed after this one, and the last of them ends what is held.
        context.eventLoop.execute { [held] in withExtendedLifetime(held) {} }
        held = nil
    }

    /// Keeps the framework's half of the connection until the connection has ended. A server whose work is cancelled drops what it has accepted
    /// and not yet begun, and NIO ends the process where such a half goes before its connection.
    func hold(_ connection: some Sendable) { held = connection }

    func channelActive(context: ChannelHandlerContext) {
        slot = budget.admit(context.channel)
        context.fireChannelActive()
        if slot == nil {
            context.close(promise: nil)
        } else {
            arm(awaitsHandshake ? limits.handshakeTimeout : limits.headerTimeout)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        deadline?.move(to: nil)
        if let slot { budget.remove(slot) }
        slot = nil
        context = nil
        readerLeaves?.succeed()
    }

    /// Fulfilled when the connection ends, or its peer closes their side of it. Ask on the channel's event loop.
    func readerHasGone() -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        if readerHasLeft { return context.eventLoop.makeSucceededVoidFuture() }
        let promise = readerLeaves ?? context.eventLoop.makePromise()
        readerLeaves = promise
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDeaf else { return }
        if !isReadingBody { hasBegunHeader = true }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Only now does TLS hand on what it has read. Nearly every header comes at once, and needs no timer.
        context.fireChannelReadComplete()
        if hasBegunHeader, isResting || deadline?.instant == nil, slot != nil {
            isResting = false
            arm(limits.headerTimeout)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ConnectionBudget.EndIfIdle:
            if requestsToAnswer == 0 { context.close(promise: nil) } else { endsWhenAnswered = true }
        case ChannelEvent.inputClosed:
            readerHasLeft = true
            readerLeaves?.succeed()
            context.fireUserInboundEventTriggered(event)
        // The server stops, and would otherwise wait for a farewell that a silent peer does not send.
        case is ChannelShouldQuiesceEvent where awaitsHandshake: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: What the bytes were

    func handshakeCompleted() {
        awaitsHandshake = false
        hasBegunHeader = false
        arm(limits.headerTimeout)
    }

    func requestBegan() {
        hasBegunHeader = false
        isReadingBody = true
        isResting = false
        deadline?.move(to: nil)
        requestsInFlight += 1
        requestsUnanswered += 1
    }

    func requestWasRead() {
        isReadingBody = false
        guard requestsUnanswered > 0 else {
            // It has had its answer before it was whole.
            if requestsInFlight == 0 { rest() }
            return
        }
        requestsToAnswer += 1
        if requestsToAnswer == 1, let slot { budget.setIdle(slot, false) }
    }

    /// A whole answer was handed to the connection. Whoever does not take it keeps nobody else out.
    func answerWasWritten() {
        requestsUnanswered -= 1
        // A refusal may come before the request is whole.
        guard requestsToAnswer > 0 else { return }
        requestsToAnswer -= 1
        if requestsToAnswer == 0, !endsWhenAnswered, let slot { budget.setIdle(slot, true) }
    }

    func answerWasSent() {
        requestsInFlight -= 1
        if endsWhenAnswered, requestsToAnswer == 0 {
            context?.channel.close(promise: nil)
        } else if requestsInFlight == 0, !isReadingBody {
            rest()
        }
    }

    /// Drops what comes from now on: it is not HTTP.
    func hearNoMore() { isDeaf = true }

    // MARK: Deadlines

    private func arm(_ limit: Duration) { deadline?.move(to: .now() + TimeAmount(limit)) }

    private func rest() {
        guard deadline?.instant == nil, slot != nil else { return }
        isResting = true
        arm(limits.idleTimeout)
    }

    private func expire() {
        guard let context else { return }
        if requestsInFlight > 0 {
            // Those have deadlines of their own; the header comes after them.
            arm(limits.headerTimeout)
        } else if hasBegunHeader, !awaitsHandshake {
            context.fireUserInboundEventTriggered(HeaderOverdue())
        } else if isResting {
            // From above TLS, which takes leave of a peer that was heard.
            context.channel.close(promise: nil)
        } else {
            context.close(promise: nil)
        }
    }
}
