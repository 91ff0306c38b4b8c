import BillfoldJSON
import PaymentCrypto

/// The URL by which the wallet hands a payment's result back: `<scheme>://safepay/?<JSON>` (alipay.md#back-to-the-app [V]).
public struct SafepayURL: Sendable, Hashable, CustomStringConvertible {
    /// The merchant's own scheme, in the letter case in which it came.
    public var scheme: String
    public var result: PaymentResult

    public init(scheme: String, result: PaymentResult) {
        self.scheme = scheme
        self.result = result
    }

    /// Reads a URL whose host is `safepay`. `malformed`, `malformed-json`, `missing-parameter`, `too-large`.
    ///
    /// `ResultStatus` and `resultStatus` are both taken; members may come in any order.
    public init(_ url: String) throws(AlipayError) {
        guard url.utf8.count <= AppSwitchURL.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "the URL has \(url.utf8.count) bytes")
        }
        let parts = try URLParts(url)
        guard parts.host == "safepay" else { throw AlipayError(code: .malformed, reason: "the host is not safepay") }
        let json = try AlipayJSON.read(URLParts.decode(parts.query))
        if let type = json["requestType"]?.string, type.lowercased() != "safepay" {
            throw AlipayError(code: .malformed, reason: "requestType is not safepay")
        }
        guard let memo = json["memo"], memo.members != nil else {
            throw AlipayError(code: .missingParameter, reason: "memo is missing")
        }
        scheme = parts.scheme
        result = try PaymentResult(memo)
    }

    /// Says whether a URL is one that ``init(_:)`` should be given.
    public static func isSafepay(_ url: String) -> Bool { (try? URLParts(url))?.host == "safepay" }

    /// As the wallet writes it: `/` as `\/`, and `+ , : & = @ /` not percent-encoded.
    public var description: String {
        func member(_ name: String, _ value: String) -> [UInt8] {
            JSONWriter.quoted(name) + [UInt8(ascii: ":")] + JSONWriter.quoted(value, escapesSlash: true)
        }
        let inner = [member("memo", result.memo), member("ResultStatus", result.status.rawValue), member("result", result.result)]
        let json =
            Array(#"{"memo":{"#.utf8) + Array(inner.joined(separator: [UInt8(ascii: ",")])) + Array(#"},"requestType":"safepay"}"#.utf8)
        return "\(scheme)://safepay/?" + PercentEncoding.encode(json, plain: "+,:&=@/!*'()$;~")
    }
}
