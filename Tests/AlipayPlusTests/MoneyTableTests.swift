import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

/// What Alipay+'s signed messages say of money, one row for each form, with where the reading comes from.
///
/// Sources: (d) is alipay-plus.md#results with alipay-plus.md#encoding, (e) alipay-plus.md#pay with alipay-plus.md#inquirypayment and
/// alipay-plus.md#notification, (f) alipay-plus.md#notification with alipay-plus.md#idempotency.
struct MoneyTableTests {
    private static let key = try? RSAPrivateKey(bits: 2048)
    private static let asked = AskedPayment(requestID: "pr-1", amount: WireAmount(currency: "SGD", value: "1999"))

    /// What a receiver has once the signature fits.
    private func verified(_ kind: AlipayPlusHeaders.Kind, _ target: String, _ body: String) throws -> VerifiedAlipayPlusMessage {
        let key = try #require(Self.key)
        let signed = try SignedAlipayPlusMessage(
            kind, target: target, clientID: "SANDBOX_C1", time: AlipayPlusTime(millisecondsSince1970: 1_795_000_000_000),
            body: Array(body.utf8), by: key)
        let headers = Dictionary(signed.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        return try UnverifiedAlipayPlusMessage(kind, target: target, body: signed.body) { headers[$0] }
            .verified(by: AlipayPlusKeyVersions([1: key.publicKey]))
    }

    private static func result(_ status: String?, _ code: String) -> String {
        status.map { #"{"resultStatus":"\#($0)","resultCode":"\#(code)"}"# } ?? #"{"resultCode":"\#(code)"}"#
    }

    private static let amount = #""paymentAmount":{"currency":"SGD","value":"1999"}"#
    private static let number = #""paymentId":"2026""#

    struct Row: Sendable, CustomTestStringConvertible {
        /// `resultStatus`, and what stands beside the result.
        var status: String?
        var code: String
        var members: [String]
        /// Nil where the message is refused as it is read.
        var outcome: AlipayPlusOutcome?
        var source: String

        init(_ status: String?, _ code: String, _ members: [String], _ outcome: AlipayPlusOutcome?, _ source: String) {
            (self.status, self.code, self.members, self.outcome, self.source) = (status, code, members, outcome, source)
        }

        init(_ status: String?, _ code: String, _ outcome: AlipayPlusOutcome?, _ source: String) {
            self.init(status, code, [amount, number], outcome, source)
        }

        init(_ status: String?, _ outcome: AlipayPlusOutcome?, _ source: String) { self.init(status, "SUCCESS", outcome, source) }

        var testDescription: String { "\(status ?? "no status") \(code) \(members.joined(separator: " "))" }
    }

    /// Of the payment itself, in notifications and inquiries alike.
    private static let payment: [Row] = [
        Row("S", .done, "(e), (f) [D]"),
        Row("S", "SUCCESS", [amount, number, #""paymentTime":"2026-11-27T14:00:00+08:00","settlementAmount":null"#], .done, "(d) [D]"),
        Row("S", "SUCCESS", [number], .unknown(.incomplete), "(e) [D]: the amount is mandatory on S"),
        Row("S", "SUCCESS", [amount], .unknown(.incomplete), "(e) [D]: paymentId is mandatory on S"),
        Row("S", "SUCCESS", [number, #""paymentAmount":null"#], .unknown(.incomplete), "(d) [D]: null is absence"),
        Row("S", "SUCCESS", [number, #""paymentAmount":{"currency":"SGD","value":"199900"}"#], .unknown(.otherAmount), "(f) [D]"),
        Row("S", "SUCCESS", [number, #""paymentAmount":{"currency":"HKD","value":"1999"}"#], .unknown(.otherAmount), "(f) [D]"),
        Row("S", "SUCCESS", [number, #""paymentAmount":{"currency":"SGD","value":"0"}"#], .unknown(.otherAmount), "(f) [D]"),
        Row("S", "SUCCESS", [number, #""paymentAmount":{"currency":"SGD"}"#], .unknown(.otherAmount), "(d) [O]: zeros are dropped"),
        Row("S", "PROCESS_FAIL", [amount, number], .done, "(d) [D]: the status decides, not the code"),
        Row("F", "USER_BALANCE_NOT_ENOUGH", [], .refused(code: "USER_BALANCE_NOT_ENOUGH"), "(e), (f) [D]"),
        Row("F", "PROCESS_FAIL", [amount, number], .refused(code: "PROCESS_FAIL"), "(e), (f) [D]"),
        Row("F", "PROCESS_FAIL", [#""paymentAmount":{"currency":"SGD","value":"1"}"#], .unknown(.otherAmount), "[I]: of another payment"),
        Row("F", "SUCCESS", [amount, number], .refused(code: "SUCCESS"), "(d) [D]: the status decides, not the code"),
        Row("U", "PAYMENT_IN_PROCESS", .unknown(.inProcess), "(d) [D]: never shown as failed"),
        Row("U", "UNKNOWN_EXCEPTION", [], .unknown(.inProcess), "(d) [D]"), Row("U", "PROCESS_FAIL", [], .unknown(.inProcess), "(d) [D]"),
        Row(nil, nil, "(d) [D]: a result has a status"), Row("X", nil, "(d) [D]"), Row("s", nil, "(d) [D]"), Row("", nil, "(d) [D]"),
    ]

    @Test(arguments: payment) func whatANotificationSaysOfMoney(row: Row) throws {
        func read(_ id: String) throws -> NotifyPaymentRequest {
            let body =
                #"{"paymentResult":\#(Self.result(row.status, row.code)),"acquirerId":"1","paymentRequestId":"\#(id)""#
                + row.members.map { ",\($0)" }.joined() + "}"
            return try verified(.request, "/hooks/notifyPayment", body).read()
        }
        guard let outcome = row.outcome else {
            #expect(throws: AlipayPlusError.self, "\(row.source)") { try read("pr-1") }
            return
        }
        #expect(try read("pr-1").outcome(of: Self.asked) == outcome, "\(row.source)")
        #expect(try read("pr-2").outcome(of: Self.asked) == .unknown(.otherPayment))
        var known = Self.asked
        known.number = "2027"
        if row.members.contains(Self.number) { #expect(try read("pr-1").outcome(of: known) == .unknown(.otherPayment)) }
    }

    @Test(arguments: payment) func whatAnInquirySaysOfMoney(row: Row) throws {
        func read(_ members: [String], call: String = Self.result("S", "SUCCESS")) throws -> InquiryPaymentAnswer {
            let body =
                "{\"result\":\(call),\"paymentResult\":\(Self.result(row.status, row.code))" + members.map { ",\($0)" }.joined() + "}"
            return try verified(.answer, InquiryPaymentRequest.path, body).read()
        }
        let ours = [#""paymentRequestId":"pr-1""#]
        guard let outcome = row.outcome else {
            #expect(throws: AlipayPlusError.self, "\(row.source)") { try read(row.members + ours) }
            return
        }
        #expect(try read(row.members + ours).outcome(of: Self.asked) == outcome, "\(row.source)")
        // Under what says nothing of the payment, the payment's result counts for nothing.
        for call in [("F", "PARAM_ILLEGAL"), ("U", "UNKNOWN_EXCEPTION"), ("F", "ACCESS_DENIED")] {
            let answer = try read(row.members + ours, call: Self.result(call.0, call.1))
            #expect(answer.outcome(of: Self.asked) == .unknown(.notSaid), "(d) [D]: \(call)")
        }
        let missing = try read(row.members + ours, call: Self.result("F", "ORDER_NOT_EXIST"))
        #expect(missing.outcome(of: Self.asked) == .unknown(.notThere), "(e) [D]: right after pay, ask again")
        // A genuine answer about another payment, and one about none that is named.
        #expect(try read(row.members + [#""paymentRequestId":"pr-2""#]).outcome(of: Self.asked) == .unknown(.otherPayment))
        #expect(try read(row.members).outcome(of: Self.asked) == .unknown(.otherPayment))
        var known = Self.asked
        known.number = "2026"
        let named = try read(row.members).outcome(of: known)
        #expect(named == (row.members.contains(Self.number) ? outcome : .unknown(.otherPayment)))
    }

    @Test func anInquiryWithoutAResultOfThePaymentSaysNothing() throws {
        let body = "{\"result\":\(Self.result("S", "SUCCESS")),\"paymentRequestId\":\"pr-1\",\(Self.amount),\(Self.number)}"
        let answer: InquiryPaymentAnswer = try verified(.answer, InquiryPaymentRequest.path, body).read()
        #expect(answer.outcome(of: Self.asked) == .unknown(.notSaid), "(e) [D]: result and paymentResult are separate")
    }

    static let pays: [(scenario: PaymentScenario, isRepeated: Bool, row: Row)] = [
        (.paymentCode, false, Row("S", .done, "(e) [D]: S, F or U")), (.automaticDebit, false, Row("S", .done, "(e) [D]")),
        (.cashier, false, Row("S", .unknown(.inProcess), "(e) [D], [I]: taken in; nobody has confirmed yet")),
        (.orderCode, false, Row("S", "SUCCESS", [number], .unknown(.inProcess), "(e) [D], [I]")),
        (.entryCode, true, Row("S", .unknown(.inProcess), "[I]")),
        (.cashier, false, Row("S", "SUCCESS", [#""paymentAmount":{"currency":"SGD","value":"1"}"#], .unknown(.otherAmount), "(f) [D]")),
        (.paymentCode, false, Row("S", "SUCCESS", [number], .unknown(.incomplete), "(e) [D]")),
        (.paymentCode, false, Row("U", "PAYMENT_IN_PROCESS", [], .unknown(.inProcess), "(d) [D]")),
        (.cashier, true, Row("U", "PAYMENT_IN_PROCESS", .unknown(.inProcess), "(d) [D]")),
        (.paymentCode, false, Row("F", "INVALID_CODE", [], .refused(code: "INVALID_CODE"), "(e) [D]")),
        (.paymentCode, true, Row("F", "INVALID_CODE", [], .refused(code: "INVALID_CODE"), "(f) [D]: a repeat tells the stored outcome")),
        (.cashier, false, Row("F", "INVALID_SIGNATURE", [], .refused(code: "INVALID_SIGNATURE"), "(e) [D]: nothing was taken in")),
        (.cashier, true, Row("F", "INVALID_SIGNATURE", [], .unknown(.thisCopy), "[I]: of this copy alone")),
        (.paymentCode, true, Row("F", "KEY_NOT_FOUND", [], .unknown(.thisCopy), "[I]")),
        (.paymentCode, true, Row("F", "REPEAT_REQ_INCONSISTENT", [], .unknown(.thisCopy), "(f) [D]: the id stands for a payment")),
        (.paymentCode, false, Row(nil, "SUCCESS", [], nil, "(d) [D]")),
    ]

    @Test(arguments: pays.indices) func whatAnAnswerToPaySaysOfMoney(index: Int) throws {
        let (scenario, isRepeated, row) = Self.pays[index]
        func read() throws -> PayAnswer {
            let body = "{\"result\":\(Self.result(row.status, row.code))" + row.members.map { ",\($0)" }.joined() + "}"
            return try verified(.answer, PayRequest.path, body).read()
        }
        guard let outcome = row.outcome else {
            #expect(throws: AlipayPlusError.self, "\(row.source)") { try read() }
            return
        }
        #expect(try read().outcome(of: Self.asked, by: scenario, isRepeated: isRepeated) == outcome, "\(row.source)")
    }

    static let refunds: [(isRepeated: Bool, row: Row)] = [
        (false, Row("S", "SUCCESS", [#""refundAmount":{"currency":"SGD","value":"1999"}"#], .done, "(e) [D]")),
        (false, Row("S", "SUCCESS", [], .done, "(d) [D]: S is final for the refund whose id was sent")),
        (true, Row("S", "SUCCESS", [], .done, "(f) [D]: a repeat tells the stored outcome")),
        (false, Row("S", "SUCCESS", [#""refundAmount":{"currency":"SGD","value":"199"}"#], .unknown(.otherAmount), "[I]")),
        (false, Row("S", "SUCCESS", [#""refundAmount":{"currency":"SGD"}"#], .unknown(.otherAmount), "(d) [O]")),
        (false, Row("U", "UNKNOWN_EXCEPTION", [], .unknown(.inProcess), "(f) [D]: the same id again")),
        (false, Row("F", "REFUND_AMOUNT_EXCEED", [], .refused(code: "REFUND_AMOUNT_EXCEED"), "(e) [D]")),
        (true, Row("F", "REFUND_AMOUNT_EXCEED", [], .refused(code: "REFUND_AMOUNT_EXCEED"), "(f) [D]")),
        (false, Row("F", "INVALID_SIGNATURE", [], .refused(code: "INVALID_SIGNATURE"), "(e) [D]")),
        (true, Row("F", "INVALID_SIGNATURE", [], .unknown(.thisCopy), "[I]: the copy before it may have been taken")),
        (true, Row("F", "REPEAT_REQ_INCONSISTENT", [], .unknown(.thisCopy), "(f) [D]")), (false, Row(nil, "SUCCESS", [], nil, "(d) [D]")),
    ]

    @Test(arguments: refunds.indices) func whatAnAnswerToARefundSaysOfMoney(index: Int) throws {
        let (isRepeated, row) = Self.refunds[index]
        func read() throws -> RefundAnswer {
            let body = "{\"result\":\(Self.result(row.status, row.code))" + row.members.map { ",\($0)" }.joined() + "}"
            return try verified(.answer, RefundRequest.path, body).read()
        }
        guard let outcome = row.outcome else {
            #expect(throws: AlipayPlusError.self, "\(row.source)") { try read() }
            return
        }
        #expect(try read().outcome(of: Self.asked.amount, isRepeated: isRepeated) == outcome, "\(row.source)")
    }

    /// No documented code means failure under the status U, and none means success under F.
    @Test func theStatusDecidesForEveryDocumentedCode() throws {
        for known in AlipayPlusResult.documented {
            for (status, isDone, isRefused) in [("S", true, false), ("F", false, true), ("U", false, false)] {
                let body =
                    "{\"paymentResult\":\(Self.result(status, known.resultCode)),\"acquirerId\":\"1\",\"paymentRequestId\":\"pr-1\","
                    + "\(Self.amount),\(Self.number)}"
                let outcome = try NotifyPaymentRequest(body: Array(body.utf8)).outcome(of: Self.asked)
                #expect((outcome == .done) == isDone, "\(known) under \(status)")
                #expect((outcome == .refused(code: known.resultCode)) == isRefused, "\(known) under \(status)")
            }
        }
        #expect(AlipayPlusOutcome.Doubt.allCases.filter(\.isContradiction).count == 3)
    }
}
