import Foundation
package import NIOCore

/// Names a peer for limits and the audit trail.
package enum CallerName {
    package static func of(_ address: SocketAddress?) -> String {
        guard let address else { return "none" }
        guard let text = address.ipAddress else { return "local" }
        var octets = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &octets) == 1 else { return text }
        if octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xff, octets[11] == 0xff {
            return octets.suffix(4).map(String.init).joined(separator: ".")
        }
        // Whoever has one address of a /64 network has all of them.
        return octets.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
