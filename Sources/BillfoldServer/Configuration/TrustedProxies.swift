package import HTTPTypes
package import NIOCore

/// The programs in front of a listener whose word is taken for whom they bring.
///
/// From anybody else such a header is what a stranger wrote, and is ignored. Of the addresses in it only those count that trusted programs
/// wrote: it is read from the end, and the first address that is no trusted program's is the client's.
public struct TrustedProxies: Sendable, Hashable {
    /// The one header that is believed. A program in front must write it, and must not pass the other on as if it were its own.
    public enum Header: String, Sendable, Hashable, CaseIterable {
        /// Addresses between commas, each program adding the one it was asked from.
        case xForwardedFor = "X-Forwarded-For"
        /// RFC 7239, of which `for` is read.
        case forwarded = "Forwarded"
    }

    private struct Network: Hashable {
        var first: InternetAddress
        /// Of 128.
        var bits: Int

        /// A network of version 6 has none of version 4, whose mapped addresses all begin alike.
        func contains(_ address: InternetAddress) -> Bool {
            guard address.isVersion4 == first.isVersion4 else { return false }
            let whole = bits / 8
            guard address.bytes.prefix(whole).elementsEqual(first.bytes.prefix(whole)) else { return false }
            guard bits % 8 > 0 else { return true }
            return (address.bytes[whole] ^ first.bytes[whole]) >> UInt8(8 - bits % 8) == 0
        }
    }

    /// More programs than these do not stand one behind the other.
    private static let mostHops = 32

    private let networks: [Network]
    private let header: Header

    /// Nobody's word is taken.
    public static let none = TrustedProxies()

    private init() {
        networks = []
        header = .xForwardedFor
    }

    /// - Parameters:
    ///   - networks: Addresses, or networks as `192.0.2.0/24` (RFC 4632) and `2001:db8::/64`. Refuses with `configuration-invalid` what is
    ///     neither, a network of everybody (`/0`), and one that is not written by its first address.
    ///   - header: The one that the programs in front write; the other is ignored.
    public init(_ networks: [String], header: Header = .xForwardedFor) throws(ServerError) {
        var read: [Network] = []
        for text in networks {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= 2, let address = InternetAddress(parts[0]) else { throw Self.malformed(text) }
            let widest = address.isVersion4 ? 32 : 128
            guard let bits = parts.count == 2 ? Int(parts[1]) : widest, (0...widest).contains(bits) else { throw Self.malformed(text) }
            guard bits > 0 else {
                throw Self.invalid("'\(text)' is everybody, who could then name any address; name the programs in front alone")
            }
            let network = Network(first: address.begin(ofNetwork: bits + 128 - widest), bits: bits + 128 - widest)
            guard network.first == address else {
                let first = network.first.peer?.ipAddress ?? "its first address"
                throw Self.invalid(
                    "'\(text)' is no network, its address goes on after \(bits) bits; write \(first)/\(bits), or \(parts[0]) alone")
            }
            read.append(network)
        }
        self.networks = read
        self.header = header
    }

    private static func malformed(_ text: String) -> ServerError {
        invalid("'\(text)' is no address or network; write 192.0.2.7, 10.0.0.0/8 or 2001:db8::/64")
    }

    private static func invalid(_ reason: String) -> ServerError {
        ServerError(code: .configurationInvalid, reason: reason, status: .internalServerError)
    }

    package var isEmpty: Bool { networks.isEmpty }

    /// Whether a peer is one of them.
    package func contains(_ peer: SocketAddress?) -> Bool {
        guard !isEmpty, let address = InternetAddress(peer) else { return false }
        return contains(address)
    }

    private func contains(_ address: InternetAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Who asks: the peer, or whom a trusted peer brings. An entry that is no address ends the search at the program that wrote it.
    package func client(of peer: SocketAddress?, _ fields: HTTPFields) -> SocketAddress? {
        guard contains(peer) else { return peer }
        var client: InternetAddress?
        for node in nodes(fields).suffix(Self.mostHops).reversed() {
            guard let address = InternetAddress(node: node) else { break }
            client = address
            guard contains(address) else { break }
        }
        return client?.peer ?? peer
    }

    /// What the header names, the one nearest to us last.
    private func nodes(_ fields: HTTPFields) -> [String] {
        guard let name = HTTPField.Name(header.rawValue) else { return [] }
        let values = fields[values: name]
        switch header {
        case .xForwardedFor:
            return values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { Self.trimmed($0) }
        case .forwarded: return values.flatMap(ForwardedElements.nodes)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// The elements of a `Forwarded` field (RFC 7239 section 4).
enum ForwardedElements {
    /// The `for` of each element, unquoted; empty text for an element without one, and for a whole field in which a quotation does not end:
    /// what a proxy appended to it may lie inside.
    static func nodes(_ field: String) -> [String] {
        guard let elements = parts(field[...], at: ",") else { return [""] }
        return elements.map { element in
            for pair in parts(element, at: ";") ?? [] {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, halves[0].lowercased().filter({ $0 != " " && $0 != "\t" }) == "for" else { continue }
                return unquoted(halves[1])
            }
            return ""
        }
    }

    /// Cuts at a mark outside of quoted text; nil where a quotation does not end.
    private static func parts(_ text: Substring, at mark: Character) -> [Substring]? {
        var (parts, start, index) = ([Substring](), text.startIndex, text.startIndex)
        var (isQuoted, isEscaped) = (false, false)
        while index < text.endIndex {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == mark, !isQuoted {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
            index = text.index(after: index)
        }
        return isQuoted ? nil : parts + [text[start...]]
    }

    private static func unquoted(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast().replacing("\\", with: ""))
    }
}
