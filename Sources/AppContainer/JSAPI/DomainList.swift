import Foundation

/// The servers that a mini program may talk to (mini-programs.md#domains): exact host names over HTTPS, and `*.` for one level of names
/// below.
public struct DomainList: Sendable, Hashable {
    /// Lower case, such as `api.merchant.example` or `*.merchant.example`; with a port where it is not the scheme's own.
    public var hosts: Set<String>
    /// Also plain HTTP, for a server on the author's own machine. Never in a release.
    public var allowsPlainHTTP: Bool

    public init(_ hosts: some Sequence<String>, allowsPlainHTTP: Bool = false) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Why an address may not be asked; nil where it may. Names with user data, a trailing dot, a fragment of another scheme, or bytes
    /// outside of ASCII are refused before they are compared: two readers could see two hosts.
    public func refusal(of address: String) -> String? {
        guard address.utf8.count <= 8192, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return "the address holds characters that are not allowed"
        }
        guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(),
            !host.isEmpty
        else { return "the address is no absolute URL" }
        guard parts.user == nil, parts.password == nil else { return "the address holds user data" }
        let isSecure = scheme == "https" || scheme == "wss"
        guard isSecure || allowsPlainHTTP && (scheme == "http" || scheme == "ws") else {
            return "the scheme \(AppContainerError.quoted(scheme, limit: 16)) is not https"
        }
        guard
            host.utf8.allSatisfy({
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || Character(Unicode.Scalar($0)).isLetter
                    || Character(Unicode.Scalar($0)).isNumber
            }), !host.hasSuffix("."), !host.hasPrefix(".")
        else { return "the host is no plain name" }
        let port = parts.port.flatMap { $0 == (isSecure ? 443 : 80) ? nil : ":\($0)" } ?? ""
        if hosts.contains(host + port) { return nil }
        if let dot = host.firstIndex(of: "."), hosts.contains("*" + host[dot...] + port) { return nil }
        let bare = !port.isEmpty && hosts.contains(host) ? ", which has the host without its port" : ""
        return "\(AppContainerError.quoted(host + port, limit: 128)) is not on the list of \(hosts.count) domains\(bare)"
    }
}
