import BillfoldJSON
import Foundation

/// What the linked Alipay SDK says of a payment, and whose it is. Nothing of it is verified: it is about the sheet and not about money.
struct AlipayAnswer: Sendable {
    let word: PaymentSheetOutcome.AlipayWord
    /// The merchant's number of the order. Nil where the result names none, as after cancelling.
    let orderNumber: String?

    /// Reads the dictionary that the SDK's blocks are given.
    init(_ dictionary: [AnyHashable: Any]) {
        // Old Alipay SDKs spell it with a capital letter [O].
        word = PaymentSheetOutcome.AlipayWord(resultStatus: (dictionary["resultStatus"] ?? dictionary["ResultStatus"]) as? String)
        orderNumber = (dictionary["result"] as? String).flatMap(Self.orderNumber(inResult:))
    }

    /// `out_trade_no` of an order string: a pair of its own in the older generation, inside `biz_content` in the newer one.
    static func orderNumber(inOrder order: String) -> String? {
        if let number = value(of: "out_trade_no", in: order) { return number }
        guard let content = value(of: "biz_content", in: order) else { return nil }
        return document(content.replacing("+", with: " ").removingPercentEncoding)?["out_trade_no"]?.scalar
    }

    /// `out_trade_no` of a result: a pair in the older generation, inside the answer's JSON in the newer one.
    private static func orderNumber(inResult result: String) -> String? {
        guard result.first == "{" else { return value(of: "out_trade_no", in: result) }
        return document(result)?["alipay_trade_app_pay_response"]?["out_trade_no"]?.scalar
    }

    private static func document(_ text: String?) -> JSONValue? { text.flatMap { try? JSONReader.read(Array($0.utf8)) } }

    /// The value of a pair, without its quotation marks; nil where it is empty.
    private static func value(of name: String, in text: String) -> String? {
        let pair = text.split(separator: "&").first { $0.hasPrefix(name + "=") }
        guard var value = pair?.dropFirst(name.count + 1) else { return nil }
        if value.count > 1, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return value.isEmpty ? nil : String(value)
    }
}
