import Hummingbird

/// Where a listener binds: a host and a port.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    public var host: String
    /// 0 lets the system choose a free port.
    public var port: Int

    public init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, `[v6]:port`, or a port alone, which means loopback.
    public init(_ text: String) throws(ServerError) {
        let portText: Substring
        if let port = Int(text), (0...65_535).contains(port) {
            self.init(port: port)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { throw Self.malformed(text) }
        var host = text[..<colon]
        portText = text[text.index(after: colon)...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw Self.malformed(text)
        }
        guard !host.isEmpty, let port = Int(portText), (0...65_535).contains(port) else { throw Self.malformed(text) }
        self.init(host: String(host), port: port)
    }

    private static func malformed(_ text: String) -> ServerError {
        ServerError(
            code: .configurationInvalid, reason: "'\(text)' is not an address; write host:port, for example 127.0.0.1:8080",
            status: .internalServerError)
    }

    /// Whether only programs on this machine can connect. A name other than `localhost` counts as not, whatever it resolves to.
    package var isLoopback: Bool { LoopbackHost.contains(host) }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var bindAddress: BindAddress { .hostname(host, port: port) }
}

/// The names by which a machine calls itself.
enum LoopbackHost {
    static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }
}
