public import AlipayPlusValues

/// A code that a merchant shows for one order: an https address whose path begins with twelve digits (alipay-plus.md#order-code [D]).
public struct OrderCode: Sendable, Hashable, CustomStringConvertible {
    /// As scanned.
    public let text: String
    public let host: String
    /// `281`, three digits given by Alipay+, `04`, four chosen by the acquirer.
    public let prefix: String
    /// What names the order.
    public let payload: String

    /// `malformed-code`.
    public init(_ text: String) throws(AlipayPlusError) {
        guard let url = CodeURL(text), url.path.utf8.count > 12 else { throw Self.malformed }
        let prefix = String(decoding: url.path.utf8.prefix(12), as: UTF8.self)
        guard prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) }), prefix.hasPrefix("281"), prefix.dropFirst(6).hasPrefix("04") else {
            throw Self.malformed
        }
        self.text = text
        host = url.host
        self.prefix = prefix
        payload = String(decoding: url.path.utf8.dropFirst(12), as: UTF8.self)
    }

    /// Makes one. `malformed-code` unless both numbers are three and four digits and the payload is letters and digits.
    public init(host: String, given: String, chosen: String, payload: String) throws(AlipayPlusError) {
        guard given.utf8.count == 3, chosen.utf8.count == 4, !payload.isEmpty,
            payload.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else { throw Self.malformed }
        try self.init("https://\(host)/281\(given)04\(chosen)\(payload)")
    }

    /// The three digits that Alipay+ gave the acquirer.
    public var given: String { String(prefix.dropFirst(3).prefix(3)) }
    /// The four that the acquirer chose.
    public var chosen: String { String(prefix.suffix(4)) }

    public var description: String { text }

    private static let malformed = AlipayPlusError(
        code: .malformedCode, reason: "an order code is an https address whose path begins with 281, three digits, 04 and four more")
}

/// A store's static code: an https address of the acquirer on a registered domain, whose page asks the amount.
public struct EntryCode: Sendable, Hashable {
    public let text: String
    public let host: String

    /// `malformed-code` for another scheme, and for a host that is not one of the acquirer's or below it.
    public init(_ text: String, domains: Set<String>) throws(AlipayPlusError) {
        guard let url = CodeURL(text), domains.contains(where: { url.host == $0 || url.host.hasSuffix("." + $0) }) else {
            throw AlipayPlusError(code: .malformedCode, reason: "an entry code is an https address on a registered domain")
        }
        self.text = text
        host = url.host
    }

    /// Says whether a page was opened inside of a wallet that can go on: `AlipayClient` or `AlipayConnect` in the User-Agent.
    public static func isWallet(userAgent: String) -> Bool {
        userAgent.contains("AlipayClient") || userAgent.contains("AlipayConnect")
    }
}

/// A scanned https address taken apart as text.
struct CodeURL {
    /// Lower case, with no port and no user.
    var host: String
    /// Without its first slash, up to a query.
    var path: String

    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= 512, bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x5C }),
            Substring(bytes.prefix(8)).lowercased() == "https://"
        else { return nil }
        let rest = bytes.dropFirst(8)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")), !authority.contains(UInt8(ascii: ":")) else { return nil }
        host = Substring(authority).lowercased()
        let path = rest[authority.endIndex...].drop { $0 == UInt8(ascii: "/") }
        self.path = String(Substring(path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
    }
}
