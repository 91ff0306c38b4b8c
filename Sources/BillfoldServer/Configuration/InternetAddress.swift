import Foundation
import NIOCore

/// An address of the Internet protocol in sixteen bytes; one of version 4 as the mapped one of version 6 (RFC 4291 section 2.5.5.2).
struct InternetAddress: Sendable, Hashable {
    let bytes: [UInt8]
    let isVersion4: Bool

    /// Reads an address without a port, as `192.0.2.1` or `2001:db8::1`.
    init?(_ text: String) {
        var octets = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &octets) == 1 {
            bytes = Self.mapped + octets
        } else {
            var wide = [UInt8](repeating: 0, count: 16)
            guard inet_pton(AF_INET6, text, &wide) == 1 else { return nil }
            bytes = wide
        }
        isVersion4 = bytes.starts(with: Self.mapped)
    }

    /// The address of a peer; `nil` where it has none, as on a socket of the file system.
    init?(_ peer: SocketAddress?) {
        guard let text = peer?.ipAddress else { return nil }
        self.init(text)
    }

    /// Reads an address as programs in front write it: alone, with a port, or with a port after brackets.
    init?(node text: some StringProtocol) {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            self.init(String(text[..<colon]))
        } else {
            self.init(String(text))
        }
    }

    private init(bytes: [UInt8], isVersion4: Bool) {
        self.bytes = bytes
        self.isVersion4 = isVersion4
    }

    /// The same with nothing after the first so many of its 128 bits: where a network begins.
    func begin(ofNetwork bits: Int) -> Self {
        var bytes = bytes
        for index in bytes.indices {
            let kept = min(max(bits - index * 8, 0), 8)
            bytes[index] &= UInt8.max << UInt8(8 - kept)
        }
        return Self(bytes: bytes, isVersion4: isVersion4)
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// As a peer of no particular port.
    var peer: SocketAddress? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten =
            isVersion4
            ? inet_ntop(AF_INET, Array(bytes.suffix(4)), &text, socklen_t(INET6_ADDRSTRLEN)) != nil
            : inet_ntop(AF_INET6, bytes, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
        guard isWritten else { return nil }
        return try? SocketAddress(ipAddress: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self), port: 0)
    }
}
