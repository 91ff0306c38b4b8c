import BillfoldJSON
import PaymentCrypto

/// The URL by which a merchant's app hands an order to the wallet.
///
/// Source: alipay.md#to-the-wallet [O]. `alipay://alipayclient/?<JSON>`, or
/// `alipays://platformapi/startApp?appId=20000125&orderSuffix=<order>`.
public struct AppSwitchURL: Sendable, Hashable, CustomStringConvertible {
    /// How the order is written into the URL.
    public enum Form: Sendable, Hashable {
        /// JSON with the scheme to return to.
        case client
        /// The older form, which names no scheme.
        case startApp
    }

    public var form: Form
    /// The whole order string, or the route token of a page.
    public var order: String
    /// The merchant's scheme; `alipays` when a page made the URL.
    public var returnScheme: String?
    /// The wallet's own scheme: `alipay`, or `alipays`.
    public var walletScheme: String

    /// The most bytes that are read.
    public static let maximumLength = 262_144
    /// The schemes that the wallet answers to; the Hong Kong wallet's is not known.
    public static let walletSchemes: Set<String> = ["alipay", "alipays"]

    public init(order: String, returnScheme: String, walletScheme: String = "alipay") {
        form = .client
        self.walletScheme = walletScheme
        self.order = order
        self.returnScheme = returnScheme
    }

    /// Reads either form. `malformed`, `malformed-json`, `missing-parameter`, `too-large`.
    public init(_ url: String) throws(AlipayError) {
        let bytes = Array(url.utf8)
        guard bytes.count <= Self.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "the URL has \(bytes.count) bytes")
        }
        let parts = try URLParts(url)
        guard Self.walletSchemes.contains(parts.scheme) else {
            throw AlipayError(code: .malformed, reason: "the scheme \(AlipayError.quoted(parts.scheme)) is not the wallet's")
        }
        walletScheme = parts.scheme
        if parts.host == "platformapi" {
            form = .startApp
            var parameters: [String: String] = [:]
            for pair in parts.query.utf8.split(separator: UInt8(ascii: "&")) {
                let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else { throw AlipayError(code: .malformed, reason: "a pair of the URL has no =") }
                parameters[String(decoding: halves[0], as: UTF8.self)] = try URLParts.decode(String(decoding: halves[1], as: UTF8.self))
            }
            guard let order = parameters["orderSuffix"], !order.isEmpty else {
                throw AlipayError(code: .missingParameter, reason: "orderSuffix is missing")
            }
            self.order = order
            returnScheme = nil
        } else {
            guard parts.host == "alipayclient" else {
                throw AlipayError(code: .malformed, reason: "the host is neither alipayclient nor platformapi")
            }
            form = .client
            let json = try AlipayJSON.read(URLParts.decode(parts.query))
            guard json["requestType"]?.string?.lowercased() == "safepay" else {
                throw AlipayError(code: .malformed, reason: "requestType is not SafePay")
            }
            guard let order = json["dataString"]?.string, !order.isEmpty else {
                throw AlipayError(code: .missingParameter, reason: "dataString is missing")
            }
            self.order = order
            returnScheme = json["fromAppUrlScheme"]?.string
        }
    }

    public var description: String {
        switch form {
        case .client:
            let json = JSONValue.texts(["requestType": "SafePay", "fromAppUrlScheme": returnScheme, "dataString": order])
            return "\(walletScheme)://alipayclient/?" + PercentEncoding.encode(json.text.utf8)
        case .startApp:
            return "\(walletScheme)://platformapi/startApp?appId=20000125&orderSuffix=" + PercentEncoding.encode(order.utf8)
        }
    }
}

/// A URL taken apart as text: nothing is normalised, because what is inside is signed.
struct URLParts {
    var scheme: String
    /// Without a trailing slash or path.
    var host: String
    var query: String

    init(_ url: String) throws(AlipayError) {
        guard let colon = url.firstRange(of: "://"), let question = url[colon.upperBound...].firstIndex(of: "?") else {
            throw AlipayError(code: .malformed, reason: "the URL has no scheme or no query")
        }
        scheme = String(url[..<colon.lowerBound])
        host = String(url[colon.upperBound..<question].prefix { $0 != "/" }).lowercased()
        query = String(url[question...].dropFirst())
    }

    /// Percent-decodes only: a plus stays a plus, or every signature with one is destroyed [V].
    static func decode(_ text: String) throws(AlipayError) -> String {
        guard let bytes = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false) else {
            throw AlipayError(code: .malformed, reason: "a percent sign without two hexadecimal digits")
        }
        return try AlipayCharset.utf8.decode(bytes)
    }
}
