/// Hosts that only the own machine or network reaches, so that nobody outside can call an address there.
package enum PrivateHost {
    /// - Parameter host: A name or an address, of IPv6 with or without brackets.
    package static func isOne(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") || host == "::1" || host == "[::1]" {
            return true
        }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard octets.count == 4 else { return false }
        switch (octets[0], octets[1]) {
        case (127, _), (10, _), (0, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): return true
        default: return false
        }
    }
}
