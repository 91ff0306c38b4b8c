/// What one listener spends on one caller at most.
public struct ServerLimits: Sendable, Hashable {
    /// The largest request body in bytes; above it the answer is 413 `body-too-large` and the connection closes.
    public var maximumBodyBytes: Int
    /// Paths whose route answers too large a body in a form of its own, with the bytes that it is sent at most. The route keeps what it
    /// needs and throws the rest away as it comes: see `Request.head(upTo:)`. Above the number it is refused as everywhere.
    public var drainedBodies: [String: Int]
    /// The request line and all header fields of one request together, in bytes.
    public var maximumHeaderBytes: Int
    /// From the first byte of a request to the last byte of its body; afterwards 408 `request-timeout`.
    public var bodyTimeout: Duration
    /// From the first byte of a request to the last byte of its answer; afterwards 503 `deadline-exceeded`. Answers of type
    /// `text/event-stream` are exempt.
    public var requestTimeout: Duration
    /// How long a connection may stay open after a request, before the next one begins.
    public var idleTimeout: Duration
    /// From a connection's beginning to the end of its TLS handshake; afterwards it is ended.
    public var handshakeTimeout: Duration
    /// From the first byte of a header to its last one, and from the beginning of a connection to the end of its first header; afterwards
    /// 408 `request-timeout`, or nothing where no byte came.
    public var headerTimeout: Duration
    /// The most connections at once. For one more the longest idle one of whoever has most is ended.
    public var maximumConnections: Int
    /// The most connections of one address, an IPv6 address standing for its /64 network; `nil` for a quarter of ``maximumConnections``.
    /// Trusted proxies may have as many as there are.
    public var maximumConnectionsPerCaller: Int?
    /// Requests per caller, or `nil` for no limit.
    public var rate: RateLimit?
    /// How long a request in flight may go on after a signal to stop; its body has a quarter of that to come whole.
    public var shutdownGrace: Duration

    public init(
        maximumBodyBytes: Int = 1_048_576, maximumHeaderBytes: Int = 16_384, bodyTimeout: Duration = .seconds(15),
        requestTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(60), maximumConnections: Int = 4_096,
        rate: RateLimit? = RateLimit(perSecond: 500, burst: 1_000), shutdownGrace: Duration = .seconds(20),
        drainedBodies: [String: Int] = [:], handshakeTimeout: Duration = .seconds(10), headerTimeout: Duration = .seconds(10),
        maximumConnectionsPerCaller: Int? = nil
    ) {
        self.maximumBodyBytes = maximumBodyBytes
        self.drainedBodies = drainedBodies
        self.maximumHeaderBytes = maximumHeaderBytes
        self.bodyTimeout = bodyTimeout
        self.requestTimeout = requestTimeout
        self.idleTimeout = idleTimeout
        self.maximumConnections = maximumConnections
        self.rate = rate
        self.shutdownGrace = shutdownGrace
        self.handshakeTimeout = handshakeTimeout
        self.headerTimeout = headerTimeout
        self.maximumConnectionsPerCaller = maximumConnectionsPerCaller
    }

    /// In bytes, of the body of a request for a path with its query, in either form of a request line.
    func maximumBody(of target: String?) -> Int {
        guard !drainedBodies.isEmpty, let target else { return maximumBodyBytes }
        var path = target.prefix { $0 != "?" }
        // The absolute form, `http://host/path`.
        if let scheme = path.firstRange(of: "://"), !path.hasPrefix("/") { path = path[scheme.upperBound...].drop { $0 != "/" } }
        return max(maximumBodyBytes, drainedBodies[String(path)] ?? 0)
    }
}
