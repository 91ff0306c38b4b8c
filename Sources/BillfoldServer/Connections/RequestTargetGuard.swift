import HTTPTypes
import NIOCore
import NIOHTTP1

/// Settles which host a request is for, before the framework takes its first line apart, and that its connection goes on in HTTP.
///
/// Two `Host` fields are refused, for a program in front may have read the other one (RFC 9112 section 3.2). A target in absolute form
/// names the host itself, whatever `Host` says (section 3.2.2); one that the listener does not answer for is refused too. A request to go on
/// in another protocol is answered in this one (RFC 9110 section 7.8), and its connection ends then: the parser stops for good behind such a
/// request, and would keep all that follows. The answer says so (RFC 9112 section 9.6), so that nobody sends another request there.
final class RequestTargetGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let hosts: HostNames
    private var isRefused = false
    private var leavesHTTP = false

    init(hosts: HostNames) { self.hosts = hosts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else {
            if leavesHTTP, case .end = unwrapInboundIn(data) {
                try? context.pipeline.syncOperations.handler(type: ConnectionWatch.self).hearNoMore()
            }
            context.fireChannelRead(data)
            return
        }
        do throws(ServerError) {
            try settle(&head)
        } catch {
            isRefused = true
            context.fireErrorCaught(error)
            return
        }
        if head.method == .CONNECT || head.headers.contains(name: "Upgrade") {
            leavesHTTP = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard leavesHTTP, case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200 else {
            return context.write(data, promise: promise)
        }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func settle(_ head: inout HTTPRequestHead) throws(ServerError) {
        let named = head.headers["Host"]
        guard named.count <= 1 else {
            throw ServerError(code: .malformedRequest, reason: "the request has two Host fields", status: .badRequest)
        }
        guard head.method != .CONNECT, let authority = try Self.authority(of: head.uri) else { return }
        guard let host = HostNames.host(of: authority.lowercased()), hosts.contains(host) else {
            throw ServerError(code: .foreignHost, reason: "this listener does not answer for that host", status: .badRequest)
        }
        // A `Host` of somebody else stays, and is refused as it is with any other target.
        let other = named.first.map { HostNames.host(of: $0.lowercased()).map(hosts.contains) ?? false } ?? true
        if other { head.headers.replaceOrAdd(name: "Host", value: authority) }
    }

    /// The authority of a target in absolute form; `nil` where it has another form.
    private static func authority(of target: String) throws(ServerError) -> String? {
        guard !target.hasPrefix("/"), let mark = target.firstRange(of: "://") else { return nil }
        let scheme = target[..<mark.lowerBound].lowercased()
        let authority = target[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard scheme == "http" || scheme == "https", !authority.isEmpty, !authority.contains("@") else {
            throw ServerError(code: .malformedRequest, reason: "the request's target names no host of HTTP", status: .badRequest)
        }
        return String(authority)
    }
}
