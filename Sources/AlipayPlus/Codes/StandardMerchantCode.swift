public import AlipayPlusValues
import Foundation
import PaymentCrypto

/// Alipay+'s standard merchant code: `HTTPS://<domain>/MPM/3/<base64>` with a tagged text inside
/// (alipay-plus.md#standard-merchant-code [D]).
///
/// The text is `GPLD`, a length of three digits, and items of a tag of four letters and a length of three digits; `CDSD` and `CIRD` hold
/// items of two and two digits.
public struct StandardMerchantCode: Sendable, Hashable {
    /// The host that the code names.
    public var host: String
    /// `PLVS`.
    public var version: String
    /// `CDSD` 01: the platform.
    public var platform: String
    /// `CDSD` 02.
    public var merchantID: String
    /// `CIRD` 01.
    public var issuer: String?
    /// `CIRD` 02.
    public var issuerType: String?
    /// `CIRD` 03.
    public var miniProgramID: String?

    public init(
        host: String, version: String = "01", platform: String, merchantID: String, issuer: String? = nil, issuerType: String? = nil,
        miniProgramID: String? = nil
    ) {
        self.host = host
        self.version = version
        self.platform = platform
        self.merchantID = merchantID
        self.issuer = issuer
        self.issuerType = issuerType
        self.miniProgramID = miniProgramID
    }

    /// `malformed-code`.
    public init(_ text: String) throws(AlipayPlusError) {
        func malformed(_ reason: String) -> AlipayPlusError { AlipayPlusError(code: .malformedCode, reason: reason) }
        guard let url = CodeURL(text), url.path.uppercased().hasPrefix("MPM/3/"),
            let bytes = try? StrictBase64.decode(url.path.dropFirst("MPM/3/".count)), bytes.allSatisfy({ (0x20...0x7e).contains($0) })
        else { throw malformed("a merchant code is https://<domain>/MPM/3/<base64>") }
        let outer = try Self.items(bytes[...], tag: 4, length: 3)
        guard outer.count == 1, let payload = outer["GPLD"] else { throw malformed("the text inside is not one GPLD") }
        let items = try Self.items(payload, tag: 4, length: 3)
        guard let version = items["PLVS"], let data = items["CDSD"] else { throw malformed("the text inside has no PLVS or no CDSD") }
        let code = try Self.items(data, tag: 2, length: 2)
        let issuer = try items["CIRD"].map { data throws(AlipayPlusError) in try Self.items(data, tag: 2, length: 2) } ?? [:]
        guard let platform = code["01"], let merchantID = code["02"] else { throw malformed("CDSD names no platform or no merchant") }
        func decoded(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
        self.init(
            host: url.host, version: String(decoding: version, as: UTF8.self), platform: String(decoding: platform, as: UTF8.self),
            merchantID: String(decoding: merchantID, as: UTF8.self), issuer: decoded(issuer["01"]), issuerType: decoded(issuer["02"]),
            miniProgramID: decoded(issuer["03"]))
    }

    private static func items(
        _ bytes: ArraySlice<UInt8>, tag: Int, length: Int
    ) throws(AlipayPlusError) -> [String: ArraySlice<UInt8>] {
        var rest = bytes
        var items: [String: ArraySlice<UInt8>] = [:]
        while !rest.isEmpty {
            let head = rest.prefix(tag + length)
            let name = String(decoding: head.prefix(tag), as: UTF8.self)
            let digits = head.dropFirst(tag)
            guard digits.count == length, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw AlipayPlusError(code: .malformedCode, reason: "an item of the code has no tag and length")
            }
            let count = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            rest = rest.dropFirst(tag + length)
            guard rest.count >= count, items.updateValue(rest.prefix(count), forKey: name) == nil else {
                throw AlipayPlusError(code: .malformedCode, reason: "an item of the code is cut or stands there twice")
            }
            rest = rest.dropFirst(count)
        }
        return items
    }

    /// The code as it is drawn: an upper-case scheme and host, as the published sample has it. `malformed-code` for a value too long.
    public func text() throws(AlipayPlusError) -> String {
        func item(_ tag: String, _ value: String?, digits: Int) throws(AlipayPlusError) -> String {
            guard let value else { return "" }
            let count = String(value.utf8.count)
            guard count.count <= digits, value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
                throw AlipayPlusError(code: .malformedCode, reason: "\(tag) is too long, or no plain text")
            }
            return tag + String(repeating: "0", count: digits - count.count) + count + value
        }
        let data = try item("01", platform, digits: 2) + item("02", merchantID, digits: 2)
        let from = try item("01", issuer, digits: 2) + item("02", issuerType, digits: 2) + item("03", miniProgramID, digits: 2)
        let inner = try item("PLVS", version, digits: 3) + item("CDSD", data, digits: 3)
        let payload = try item("GPLD", inner + item("CIRD", from.isEmpty ? nil : from, digits: 3), digits: 3)
        return "HTTPS://\(host.uppercased())/MPM/3/\(StrictBase64.encode(Array(payload.utf8)))"
    }
}
