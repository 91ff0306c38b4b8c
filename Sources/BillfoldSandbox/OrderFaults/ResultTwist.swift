import Alipay
import Foundation

/// Has the wallet's pages and answers tell an order's app another code than 9000, without the signed text, as
/// docs/protocols/alipay.md#result-status has them: what is true is with the order's own server and with the gateway. What tells of no
/// success stays as it is.
struct ResultTwist {
    let code: String
    private static let success = AlipayResultStatus.paid.rawValue

    /// The answer to a question about the result; nil for one that stays.
    func answer(_ json: [UInt8]) -> [UInt8]? {
        guard var told = (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: String], told["resultStatus"] == Self.success
        else { return nil }
        (told["resultStatus"], told["memo"], told["result"]) = (code, "", "")
        return (try? JSONSerialization.data(withJSONObject: told, options: [.sortedKeys])).map(Array.init)
    }

    /// The page that leads back to the app; nil for one that stays.
    func page(_ html: String) -> String? {
        guard html.contains(#"name="resultStatus" value="\#(Self.success)""#) else { return nil }
        var html = html
        for (name, value) in [("resultStatus", code), ("memo", ""), ("result", "")] {
            html = Self.replacing(in: html, after: #"name="\#(name)" value=""#) { _ in value }
        }
        html = Self.replacing(in: html, after: #"data-outcome=""#) { _ in code }
        guard let link = html.range(of: #"" data-way-back"#),
            let start = html[..<link.lowerBound].range(of: #"href=""#, options: .backwards)
        else { return html }
        let address = Self.unescaped(String(html[start.upperBound..<link.lowerBound]))
        html.replaceSubrange(start.upperBound..<link.lowerBound, with: Self.escaped(wayBack(address) ?? address))
        return html
    }

    /// `<scheme>://safepay/?…`, or the web address that plays the app; nil for what carries no result.
    func wayBack(_ address: String) -> String? {
        if let opener = address.range(of: "?url="), let inner = String(address[opener.upperBound...]).removingPercentEncoding {
            return wayBack(inner).flatMap { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) }
                .map { address[..<opener.upperBound] + $0 }
        }
        guard SafepayURL.isSafepay(address), let url = try? SafepayURL(address), url.result.status == .paid else { return nil }
        return SafepayURL(
            scheme: url.scheme, result: PaymentResult(status: AlipayResultStatus(rawValue: code), memo: "", result: "")
        ).description
    }

    private static func replacing(in html: String, after mark: String, _ value: (String) -> String) -> String {
        guard let start = html.range(of: mark), let end = html[start.upperBound...].firstIndex(of: "\"") else { return html }
        return html.replacingCharacters(in: start.upperBound..<end, with: value(String(html[start.upperBound..<end])))
    }

    private static let marks = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
    private static func escaped(_ text: String) -> String { marks.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) } }
    private static func unescaped(_ text: String) -> String {
        marks.reversed().reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
    }
}
