import HTTPTypes
package import Hummingbird

/// Refuses requests that a page elsewhere makes a browser send (DNS rebinding, cross-site posts).
///
/// On loopback the `Host` must name this machine; everywhere an `Origin`, where one is sent, must be the listener's own or one
/// that is allowed, unless the path takes forms of any (``ListenerConfiguration/foreignForms``). A program that is no browser sends no `Origin` and is not affected.
package struct OriginMiddleware<Context: RequestContext>: RouterMiddleware {
    private let hosts: HostNames
    private let origins: Set<String>
    private let foreignForms: Set<String>

    package init(configuration: ListenerConfiguration) {
        hosts = HostNames(configuration)
        origins = Set(configuration.origins.map { $0.lowercased() })
        foreignForms = configuration.foreignForms
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority?.lowercased(), let host = HostNames.host(of: authority), hosts.contains(host) else {
            throw ServerError(code: .foreignHost, reason: "this listener does not answer for that host", status: .forbidden)
        }
        if request.method == .post, foreignForms.contains(request.uri.path) { return try await next(request, context) }
        let sent = request.headers[values: .origin]
        guard sent.allSatisfy({ isOwn($0.lowercased(), authority: authority) }) else {
            throw ServerError(code: .foreignOrigin, reason: "requests from that origin are not taken", status: .forbidden)
        }
        // A navigation that a foreign page starts is harmless as long as it changes nothing.
        if sent.isEmpty, request.headers[.fetchSite] == "cross-site", request.method != .get, request.method != .head {
            throw ServerError(code: .foreignOrigin, reason: "requests from another site are not taken", status: .forbidden)
        }
        return try await next(request, context)
    }

    private func isOwn(_ origin: String, authority: String) -> Bool {
        origin == "http://\(authority)" || origin == "https://\(authority)" || origins.contains(origin)
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!  // swift-format-ignore: NeverForceUnwrap
}
