import Alipay
import Foundation

/// Where a customer goes from here: to the merchant's app, or to the page that the order names.
struct WayBack: Sendable {
    let openers: [String: String]

    /// `<scheme>://safepay/?<percent-encoded JSON>` (alipay.md#back-to-the-app), or in test mode the web address that plays the app.
    func address(scheme: String?, returnURL: String?, _ result: ClientResult) -> String? {
        guard let scheme else { return returnURL.flatMap(Self.page) }
        let url = SafepayURL(
            scheme: scheme,
            result: PaymentResult(status: AlipayResultStatus(rawValue: result.resultStatus), memo: result.memo, result: result.result)
        ).description
        return opening(url, scheme)
    }

    /// `<scheme>://<place>?name=value&…`, which the super app's own app takes, or in test mode the web address that plays it.
    func address(scheme: String, place: String, _ parameters: [(name: String, value: String)]) -> String? {
        let query = parameters.compactMap { name, value in
            value.addingPercentEncoding(withAllowedCharacters: Self.plain).map { "\(name)=\($0)" }
        }
        return opening("\(scheme)://\(place)?\(query.joined(separator: "&"))", scheme)
    }

    private func opening(_ url: String, _ scheme: String) -> String? {
        guard let opener = openers[scheme] else { return url }
        return url.addingPercentEncoding(withAllowedCharacters: Self.plain).map { "\(opener)?url=\($0)" }
    }

    /// Letters, digits and marks that no part of an address gives a meaning.
    private static let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// A page of the merchant's that the signed order names; nothing but an absolute web address is followed.
    private static func page(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }), let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased() ?? ""), parts.host?.isEmpty == false, parts.user == nil
        else { return nil }
        return text
    }
}
