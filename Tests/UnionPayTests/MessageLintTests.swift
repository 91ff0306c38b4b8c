import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import Testing
import UnionPay
import UnionPayDiagnosis

/// What is wrong with messages whatever signed them: with one by itself, and with two that belong together.
@Suite struct MessageLintTests {
    typealias Fields = [String: String?]

    static let payment: [String: String] = [
        "version": "5.1.0", "encoding": "UTF-8", "signMethod": "01", "txnType": "01", "txnSubType": "01", "bizType": "000802",
        "channelType": "08", "accessType": "0", "merId": "777290058110097", "orderId": "20261120120000123", "txnTime": "20261120120000",
        "txnAmt": "3300", "currencyCode": "156", "backUrl": "https://shop.example/notify", "certId": "1",
    ]
    static let refund: Fields = ["txnType": "04", "txnSubType": "00"]
    static let original = String(repeating: "7", count: 21)

    private func findings(_ files: [(name: String, text: String)]) -> [String] {
        UnionPayDiagnostician(instant: Date(timeIntervalSince1970: 1_795_176_000))
            .examine(files.map { Artifact(name: $0.name, bytes: Array($0.text.utf8)) }).findings.map { "\($0.severity) \($0.code)" }
    }

    /// The payment with some fields changed, or taken away where nil stands; its signature was made by nobody.
    private func message(_ changes: Fields) throws -> String {
        var fields = UnionPayFields()
        for (name, value) in Self.payment.merging(["signature": "AAAA"], uniquingKeysWith: { $1 }) { fields[name] = value }
        for (name, value) in changes { fields[name] = value }
        return try FormBody.encode(fields)
    }

    @Test(
        arguments: [
            ("a sound payment", [:], []),
            ("no time", ["txnTime": nil], ["defect unionpay.field-missing"]),
            ("a query without an order", ["txnType": "00", "orderId": nil, "bizType": "000000"], ["defect unionpay.field-missing"]),
            ("a void of nothing", ["txnType": "31", "txnSubType": "00"], ["defect unionpay.field-missing"]),
            (
                "a refund by order and time",
                refund.merging(["origOrderId": "20261120120000124", "origTxnTime": "20261120120000"]) { $1 }, []
            ),
            ("an order without its time", refund.merging(["origOrderId": "20261120120000124"]) { $1 }, ["defect unionpay.field-missing"]),
            ("a currency of two digits", ["currencyCode": "15"], ["defect unionpay.currency-form"]),
            ("a short number in clear", ["customerInfo": Data("{pin=1234}".utf8).base64EncodedString()], ["defect unionpay.pin-in-clear"]),
            ("a sealed number", ["customerInfo": Data("{pin=0123456789ABCDEF}".utf8).base64EncodedString()], []),
        ] as [(String, Fields, [String])])
    func oneMessageIsJudged(kind: String, changes: Fields, expected: [String]) throws {
        #expect(findings([("a", try message(changes))]) == expected, "\(kind)")
    }

    @Test(
        arguments: [
            (
                "a void with the payment's order", ["txnType": "31", "txnSubType": "00", "origQryId": original],
                ["defect unionpay.order-id-reused"]
            ),
            ("two payments of one order", ["txnAmt": "4400"], ["defect unionpay.order-id-reused"]),
            ("a repetition", [:], []),
            ("a reversal of the payment", ["txnType": "99", "origQryId": original], []),
        ] as [(String, Fields, [String])])
    func twoMessagesAreJudgedTogether(kind: String, changes: Fields, expected: [String]) throws {
        #expect(findings([("a", try message([:])), ("b", try message(changes))]) == expected, "\(kind)")
    }

    @Test func flagInJSONIsNoCopyOfWhatWasSent() {
        var object = JSONObject(Self.payment.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .string($0.value)) })
        object["signature"] = .string("AAAA")
        object["accessType"] = .bool(false)
        #expect(findings([("a", String(decoding: JSONWriter.write(object), as: UTF8.self))]) == ["warning unionpay.bare-value"])
    }
}
