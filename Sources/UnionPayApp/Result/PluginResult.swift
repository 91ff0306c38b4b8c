public import Foundation

/// The URL by which a payment comes back: `<scheme>://uppayresult?code=…&data=…` (unionpay-tn.md#result).
public struct PluginResult: Sendable, Hashable {
    /// The host of the URL.
    public static let host = "uppayresult"

    /// `code` as it came; one of ``PluginWord``'s, or something new.
    public var code: String
    /// `data` as it came, decoded from the URL; empty where there was none, as after a cancellation.
    public var data: String

    public init(code: String, data: String = "") {
        self.code = code
        self.data = data
    }

    /// Reads a URL; nil for one that is no result. A scheme before the app's own, as one wrong registration makes it
    /// (`shop://demo://uppayresult?…`), is passed over.
    public init?(_ url: URL) {
        guard let query = Self.query(of: url.absoluteString) else { return nil }
        var values: [String: String] = [:]
        for part in query.split(separator: "&") {
            guard let sign = part.firstIndex(of: "="), let value = Self.decoded(part[part.index(after: sign)...]) else { continue }
            let name = String(part[..<sign])
            // A name that comes twice could be read in two ways.
            guard values.updateValue(value, forKey: name) == nil else { return nil }
        }
        guard let code = values["code"], !code.isEmpty else { return nil }
        self.init(code: code, data: values["data"] ?? "")
    }

    public var word: PluginWord? { PluginWord(rawValue: code) }

    /// The signed text: `sign`, and `data` as `pay_result=…&tn=…&cert_id=…`. Nil where there is none or it cannot be read.
    public var signed: [String: String]? {
        guard !data.isEmpty, let read = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] else { return nil }
        return read.compactMapValues { $0 as? String }
    }

    /// `name` in the signed text's own text; nobody has checked its signature.
    public func claim(_ name: String) -> String? {
        let text = signed?["data"] ?? ""
        for part in text.split(separator: "&") where part.hasPrefix("\(name)=") { return String(part.dropFirst(name.count + 1)) }
        return nil
    }

    /// The URL, as UnionPay's app makes it. Nil for a scheme that no URL can have.
    public func url(scheme: String) -> URL? {
        URL(string: "\(scheme)://\(Self.host)?code=\(Self.encoded(code))&data=\(Self.encoded(data))")
    }

    private static func query(of text: String) -> Substring? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let place = parts[0].lowercased()
        guard place.hasSuffix("://\(host)") || place.hasSuffix("://\(host)/") else { return nil }
        return parts[1].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
    }

    /// Blanks come as `+`, and base64's own `+` as `%2B`.
    private static func decoded(_ value: Substring) -> String? { value.replacing("+", with: " ").removingPercentEncoding }

    private static func encoded(_ value: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
