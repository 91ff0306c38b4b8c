public import Logging

/// One listener: where it binds, how it proves itself, and what it spends on a caller.
public struct ListenerConfiguration: Sendable, Hashable {
    /// For logs and metrics: `public`, `console` or `sandbox`.
    public var name: String
    public var address: ListenAddress
    public var tls: TLSIdentity?
    public var limits: ServerLimits
    /// Host names, beside the machine's own, that requests may carry. On an address other than loopback an empty list means any.
    public var hosts: Set<String>
    /// Origins beside the listener's own that a browser's request may come from, for example `https://shop.example`.
    public var origins: Set<String>
    /// Programs in front whose word is taken for whom they bring.
    public var trustedProxies: TrustedProxies
    /// Of the line that each request leaves. Health checks and assets of pages leave theirs at `debug`.
    public var requestLogLevel = Logger.Level.info
    /// Paths that a form on a page of any origin may be posted to: what is done there takes no right from the browser that sends it, and
    /// its answer sets no cookie.
    package var foreignForms: Set<String> = []
    /// What paths of routes begin with whose successes leave their line at `debug` too.
    package var quietRoutes: Set<String> = []

    public init(
        name: String, address: ListenAddress, tls: TLSIdentity? = nil, limits: ServerLimits = ServerLimits(), hosts: Set<String> = [],
        origins: Set<String> = [], trustedProxies: TrustedProxies = .none
    ) {
        self.name = name
        self.address = address
        self.tls = tls
        self.limits = limits
        self.hosts = hosts
        self.origins = origins
        self.trustedProxies = trustedProxies
    }
}
