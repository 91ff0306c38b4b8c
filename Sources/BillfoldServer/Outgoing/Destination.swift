import Foundation
import Synchronization

/// A URL taken apart strictly, before anything is resolved.
struct Destination: Sendable, Hashable {
    var scheme: String
    /// Lower case; without brackets where it is an IPv6 address.
    var host: String
    var port: Int
    /// The address to ask for, with exactly ``host`` in it: a client that looks the host up in a table of checked addresses
    /// finds it, however the counterparty spelt it.
    var url: String

    /// Scheme, host and port, which is always there.
    var origin: String

    /// Addresses that were taken apart before: counterparties name few, and each message asks several times.
    private static let known = Mutex<[String: Destination]>([:])
    private static let (mostKnown, longestKnown) = (1_024, 256)

    init(_ url: String) throws(SendFailure) {
        if let known = Self.known.withLock({ $0[url] }) {
            self = known
            return
        }
        try self.init(reading: url)
        guard url.utf8.count <= Self.longestKnown else { return }
        Self.known.withLock { [self] known in
            if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known[url] = self
        }
    }

    private init(reading url: String) throws(SendFailure) {
        // A URL that two parsers may read differently is refused: no controls, spaces or backslashes.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }), var parts = URLComponents(string: url),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http", parts.user == nil, parts.password == nil,
            var host = parts.host?.lowercased(), !host.isEmpty
        else { throw SendFailure(code: .malformedAddress, reason: "the address is not an http or https URL", mayHaveArrived: false) }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let port = parts.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port), !host.contains("%") else {
            throw SendFailure(code: .malformedAddress, reason: "the address has no usable host and port", mayHaveArrived: false)
        }
        let written = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        parts.scheme = scheme
        parts.host = written
        guard let plain = parts.string else {
            throw SendFailure(code: .malformedAddress, reason: "the address has no usable host and port", mayHaveArrived: false)
        }
        self.scheme = scheme
        self.host = host
        self.port = port
        self.url = plain
        origin = "\(scheme)://\(written):\(port)"
    }

    /// The address, where the host is one in figures.
    var octets: ResolvedAddress? {
        if host.utf8.contains(UInt8(ascii: ":")) {
            var octets = [UInt8](repeating: 0, count: 16)
            return inet_pton(AF_INET6, host, &octets) == 1 ? ResolvedAddress(octets: octets) : nil
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard labels.count == 4 else { return nil }
        let octets = labels.compactMap { $0 }
        return octets.count == 4 ? ResolvedAddress(octets: octets) : nil
    }

    /// Whether the host looks like an IPv4 address in a form other than four decimal numbers (`0x7f.1`, `2130706433`, `0177.0.0.1`).
    var isDisguisedNumber: Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: true)
        guard let last = labels.last, last.first?.isNumber == true else { return false }
        let isPlain =
            labels.count == 4 && !host.hasSuffix(".")
            && labels.allSatisfy { label in UInt8(label) != nil && (label.count == 1 || label.first != "0") && label.first != "+" }
        return !isPlain
    }
}
