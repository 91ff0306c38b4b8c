import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOTLS

/// Holds one connection to its limits: the size of a body, the time a body may take, and the total time of a request.
///
/// It sits below the request handlers, because an idle timeout is none of these: a client that sends one byte a
/// second, or reads its answer one byte a second, is never idle. A handler whose deadline ends is answered for and not
/// cancelled: a payment that has begun goes on, and its outcome is asked for afterwards.
///
/// Requests that a client sends ahead are answered in their order (RFC 9112 section 9.3.2). Of too many the first are, and what cannot be
/// read is refused behind the answers to what came before it. The last answer says `Connection: close`: nothing that came behind it was
/// begun (section 9.6), so that the client knows what to send again.
///
/// All state is touched on the channel's event loop only.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private struct Pending {
        var deadline: NIODeadline
        var answering = false
        /// Whether the whole answer was handed to the connection; what is pending then is the client's reading.
        var isWritten = false
        /// An event stream has no total deadline; a reader that stops reading it still has one.
        var isEventStream = false
        var unflushedWrites = 0
    }

    /// How a connection ends when the requests before that are answered.
    private enum Ending {
        /// With the last answer.
        case answers
        /// With a refusal, once no more requests than so many wait for an answer.
        case refusal(ServerError, mostPending: Int)
    }

    private let limits: ServerLimits
    private var watch: ConnectionWatch?
    private var context: ChannelHandlerContext?
    private var pending: [Pending] = []
    private var bodyBytes = 0
    private var mostBodyBytes = 0
    /// Set while a request's body is being read.
    private var bodyDeadline: NIODeadline?
    /// Whether what comes is dropped, and what is written too.
    private var refused = false
    /// When everything in flight is answered for, once the server stops.
    private var lastInstant: NIODeadline?
    /// Whether the connection ends, at once or when its answers were taken.
    private var isClosing = false
    /// Whether what comes is dropped: a request that is not begun any more, and all behind it.
    private var isDeaf = false
    private var ending: Ending?
    private var nearest: MovingDeadline?
    private var heldCloses: [EventLoopPromise<Void>?] = []
    private var lingering = false
    /// Closes that wait until the client has taken its answers: a connection that closes drops what it has not sent.
    private var closesAfterAnswers: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []

    /// How many requests a client may send ahead of their answers on one connection.
    private static let maximumPipelined = 64

    init(limits: ServerLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        nearest = MovingDeadline(on: context.eventLoop) { [weak self] in self?.expire(context) }
        // Of the framework's: it would answer what cannot be parsed with an empty 400, before this handler can say why.
        let operations = context.pipeline.syncOperations
        watch = try? operations.handler(type: ConnectionWatch.self)
        if let framework = try? operations.context(handlerType: HTTPServerProtocolErrorHandler.self) {
            operations.removeHandler(context: framework, promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDeaf else { return }
        guard !refused, error is HTTPParserError || error is ServerError else {
            context.fireErrorCaught(error)
            return
        }
        // What cannot be read is the body of the last request, or comes after requests that are not answered yet.
        refuse(error as? ServerError ?? .unreadable(error), context, mostPending: bodyDeadline == nil ? 0 : 1)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nearest = nil
        releaseCloses(context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        nearest?.move(to: nil)
        lingering = false
        for promise in heldCloses + closesAfterAnswers.map(\.promise) { promise?.succeed() }
        heldCloses = []
        closesAfterAnswers = []
        context.fireChannelInactive()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !refused, !isDeaf else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard lastInstant == nil, !isClosing, watch?.endsWhenAnswered != true else {
                isDeaf = true
                return
            }
            guard pending.count < Self.maximumPipelined else {
                end(with: .answers)
                return
            }
            watch?.requestBegan()
            let now = NIODeadline.now()
            pending.append(Pending(deadline: now + TimeAmount(limits.requestTimeout)))
            bodyBytes = 0
            bodyDeadline = now + TimeAmount(limits.bodyTimeout)
            arm()
            mostBodyBytes = limits.maximumBody(of: head.path)
            if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > mostBodyBytes {
                refuse(.bodyTooLarge(mostBodyBytes), context)
                return
            }
        case .body(let buffer):
            bodyBytes += buffer.readableBytes
            if bodyBytes > mostBodyBytes {
                refuse(.bodyTooLarge(mostBodyBytes), context)
                return
            }
        case .end:
            bodyDeadline = nil
            watch?.requestWasRead()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if lingering { context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ConnectionWatch.HeaderOverdue:
            if !refused { refuse(.headerTimeout(limits.headerTimeout), context) }
            return
        case TLSUserEvent.handshakeCompleted: watch?.handshakeCompleted()
        case is ChannelShouldQuiesceEvent: stop()
        case ChannelEvent.inputClosed where lingering: releaseCloses(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !refused else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        var data = data
        let part = unwrapOutboundIn(data)
        // Answers come in order.
        let place = pending.firstIndex { !$0.isWritten }
        if let place, case .head(var head) = part, head.status.kind != .informational {
            pending[place].answering = true
            if isLastAnswer(place) {
                head.headerFields[.connection] = "close"
                data = wrapOutboundOut(.head(head))
            }
            if head.headerFields[.contentType]?.hasPrefix("text/event-stream") == true {
                pending[place].isEventStream = true
                pending[place].deadline = lastInstant ?? .distantFuture
            }
        }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        if let place, pending[place].isEventStream {
            if pending[place].unflushedWrites == 0 { pending[place].deadline = due(in: limits.requestTimeout) }
            pending[place].unflushedWrites += 1
            arm()
        }
        let isEnd = if case .end = part { true } else { false }
        if isEnd, let place {
            pending[place].isWritten = true
            watch?.answerWasWritten()
        }
        written.futureResult.assumeIsolated().whenComplete { [self] _ in flushed(isEnd: isEnd) }
        context.write(data, promise: written)
    }

    /// Whether no request behind that one is answered. Answers come in order, and what is asked for after it is dropped.
    private func isLastAnswer(_ place: Int) -> Bool {
        guard place == pending.count - 1 else { return false }
        return switch ending {
        case .answers: true
        case .refusal(_, let mostPending): mostPending > 0
        case nil: lastInstant != nil || watch?.endsWhenAnswered == true
        }
    }

    private func flushed(isEnd: Bool) {
        guard !pending.isEmpty else { return }
        if isEnd {
            pending.removeFirst()
            watch?.answerWasSent()
            closeAfterAnswers()
            endBehindAnswers()
        } else if pending[0].isEventStream {
            pending[0].unflushedWrites -= 1
            if pending[0].unflushedWrites == 0 { pending[0].deadline = lastInstant ?? .distantFuture }
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .input {
            // The framework was cancelled: whoever takes no answer holds nobody up.
            hurry(to: .now() + .seconds(1))
        } else {
            isClosing = true
        }
        // A refusal still on its way must reach the client before the connection goes.
        if lingering, mode == .all {
            heldCloses.append(promise)
        } else if mode != .input, !refused, !pending.isEmpty, pending.allSatisfy(\.isWritten) {
            closesAfterAnswers.append((mode, promise))
        } else {
            context.close(mode: mode, promise: promise)
        }
    }

    private func closeAfterAnswers() {
        guard pending.isEmpty, !closesAfterAnswers.isEmpty, let context else { return }
        let closes = closesAfterAnswers
        closesAfterAnswers = []
        for close in closes { context.close(mode: close.mode, promise: close.promise) }
    }

    // MARK: Deadlines

    /// An instant that is so far away, but no later than the end of a stop.
    private func due(in duration: Duration) -> NIODeadline { min(.now() + TimeAmount(duration), lastInstant ?? .distantFuture) }

    private func hurry(to instant: NIODeadline) {
        for place in pending.indices { pending[place].deadline = min(pending[place].deadline, instant) }
        arm()
    }

    private func arm() {
        let deadlines = pending.map(\.deadline).filter { $0 < .distantFuture } + (bodyDeadline.map { [$0] } ?? [])
        if let first = deadlines.min() { nearest?.move(to: first) }
    }

    private func expire(_ context: ChannelHandlerContext) {
        guard !refused else { return }
        let now = NIODeadline.now()
        if let bodyDeadline, bodyDeadline <= now {
            refuse(lastInstant == nil ? .requestTimeout(limits.bodyTimeout) : .stopping, context)
        } else if pending.contains(where: { $0.deadline <= now }) {
            // Answers come in order: it is the first request's, and the connection ends behind it.
            refuse(lastInstant == nil ? .deadlineExceeded(limits.requestTimeout) : .stoppedMeanwhile, context, mostPending: .max)
        } else {
            arm()
        }
    }

    /// The server stops: no further request is read. A body that is still coming leaves what is done with it the greater part of the grace,
    /// and whoever waits is told before all is cancelled.
    private func stop() {
        let now = NIODeadline.now()
        if let bodyDeadline { self.bodyDeadline = min(bodyDeadline, now + TimeAmount(limits.shutdownGrace / 4)) }
        let last = now + TimeAmount(limits.shutdownGrace * 9 / 10)
        lastInstant = last
        hurry(to: last)
    }

    // MARK: Refusing

    /// - Parameter mostPending: How many requests may wait for an answer; with more, the refusal waits too. With 1 it is the last one's;
    ///   without a limit it is the first one's, and the others get none.
    private func refuse(_ error: ServerError, _ context: ChannelHandlerContext, mostPending: Int = 1) {
        let wasAnswered = bodyDeadline != nil && mostPending == 1 && pending.last?.isWritten != false
        bodyDeadline = nil
        if wasAnswered {
            // Nothing more can be said of it, and nothing behind it can be told from its body.
            end(with: .answers)
        } else if pending.count > mostPending {
            end(with: .refusal(error, mostPending: mostPending))
        } else if pending.first?.answering == true {
            // Half an answer is on the wire.
            refused = true
            nearest?.move(to: nil)
            context.fireErrorCaught(error)
            context.close(mode: .all, promise: nil)
        } else {
            say(error, context)
        }
    }

    /// Hears no more, and ends the connection when what came before is answered.
    private func end(with ending: Ending) {
        isDeaf = true
        bodyDeadline = nil
        self.ending = ending
        endBehindAnswers()
    }

    private func endBehindAnswers() {
        guard let ending, !refused, let context, context.channel.isActive else { return }
        switch ending {
        case .refusal(let error, let mostPending) where pending.count <= mostPending:
            // It may have answered by itself meanwhile.
            if pending.first?.answering == true { self.ending = .answers } else { say(error, context) }
        case .answers where pending.isEmpty: linger(context)
        default: break
        }
    }

    private func say(_ error: ServerError, _ context: ChannelHandlerContext) {
        let refusal = Refusal(error)
        let body = ByteBuffer(bytes: refusal.body)
        var fields = refusal.headers
        fields[.contentType] = "application/json; charset=utf-8"
        fields[.contentLength] = String(body.readableBytes)
        fields[.connection] = "close"
        context.write(wrapOutboundOut(.head(HTTPResponse(status: refusal.status, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
        context.fireErrorCaught(error)
    }

    /// Says no more, and leaves the client a moment to take what was said.
    private func linger(_ context: ChannelHandlerContext) {
        refused = true
        lingering = true
        nearest?.move(to: nil)
        context.close(mode: .output, promise: nil)
        context.read()
        // The client may still be sending. Closing on top of unread bytes would reset the connection under the refusal.
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(1)) {
            let (handler, context) = bound.value
            handler.releaseCloses(context)
        }
    }

    private func releaseCloses(_ context: ChannelHandlerContext) {
        guard lingering else { return }
        lingering = false
        let promises = heldCloses
        heldCloses = []
        let closed = context.eventLoop.makePromise(of: Void.self)
        for promise in promises { if let promise { closed.futureResult.cascade(to: promise) } }
        context.close(mode: .all, promise: closed)
    }
}
