import AlipayPlusApp
import AlipayPlusDiagnosis
import AlipayPlusValues
import BillfoldDiagnosis
import Foundation
import Testing

/// The rows of the failure table that payment data and an Info.plist can show.
@MainActor @Suite struct PaymentSheetDiagnosticianTests {
    private func examine(_ files: [(String, String)], at instant: Int64 = TestPhone.now, schemes: [String] = []) -> Diagnosis {
        PaymentSheetDiagnostician(at: instant, returnSchemes: schemes).examine(
            files.map { Artifact(name: $0.0, bytes: Array($0.1.utf8)) })
    }

    private func codes(_ text: String, at instant: Int64 = TestPhone.now) -> [String] {
        examine([("data.json", text)], at: instant).findings.map(\.code)
    }

    @Test func soundDataHasNoFinding() {
        #expect(examine([("data.json", TestPhone.data().text + "\n")]) == Diagnosis())
    }

    @Test func otherFilesAreLeftToOthers() {
        #expect(examine([("a", "{}"), ("b", #"{"paymentId":"1"}"#), ("c", "<plist></plist>")]) == Diagnosis())
        // Answers of pay hold payment data, and are none.
        let answer = #"{"result":{"resultStatus":"U"},"paymentData":"\#(TestPhone.data().text.replacing("\"", with: "\\\""))"}"#
        #expect(examine([("a", answer), ("b", "HTTP/1.1 200 OK\r\n\r\n" + answer), ("c", String(answer.dropLast()))]) == Diagnosis())
    }

    @Test func slipsOfTheWayAreNamed() {
        let text = TestPhone.data().text
        let escaped = examine([("data.json", "\"" + text.replacing("\"", with: "\\\"") + "\"")])
        #expect(escaped.identified.map(\.kind) == ["alipay-plus.payment-data"])
        #expect(codes("\"" + text.replacing("\"", with: "\\\"") + "\"") == ["alipay-plus.payment-data-escaped-twice"])
        #expect(codes(text.replacing("\"version\":1", with: "\"version\":9")) == ["alipay-plus.payment-data-version"])
        #expect(codes(String(text.dropLast())) == ["alipay-plus.payment-data-malformed"])
        #expect(codes(TestPhone.data { $0.expiryTime = "2026-01-02" }.text) == ["alipay-plus.payment-data-malformed"])
    }

    @Test func dataThatIsOverOrLeadsNowhereIsNamed() {
        let late = examine([("data.json", TestPhone.data().text)], at: TestPhone.now + 90_000)
        #expect(late.findings.map(\.code) == ["alipay-plus.payment-data-expired"])
        #expect(late.findings.first?.evidence.last == .init("seconds", "30"))
        #expect(codes(TestPhone.data { $0.sheetURL = "http://shop.example.test/" }.text) == ["alipay-plus.payment-data-address"])
        let both = TestPhone.data { $0.sheetURL = "http://shop.example.test/" }.text
        #expect(codes(both, at: TestPhone.now + 90_000) == ["alipay-plus.payment-data-expired", "alipay-plus.payment-data-address"])
    }

    @Test func twoEnvironmentsAreNamed() {
        let live = TestPhone.data { $0.environment = .production }.text
        let diagnosis = examine([("a", TestPhone.data().text), ("b", live)])
        #expect(diagnosis.findings.map(\.code) == ["alipay-plus.environment-mixed"] && diagnosis.findings.first?.subject == "b")
    }

    @Test func propertyListIsJudgedByTheWalletsOfThePayment() throws {
        let entries: [String: Any] = ["LSApplicationQueriesSchemes": ["dana"]]
        let plist = try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
        let files = [("Info.plist", String(decoding: plist, as: UTF8.self)), ("data.json", TestPhone.data().text)]
        let diagnosis = examine(files, schemes: ["shopapp"])
        #expect(
            diagnosis.findings.map(\.code) == [
                "alipay-plus-app.query-scheme-missing", "alipay-plus-app.return-scheme-unregistered",
            ])
        #expect(diagnosis.findings.allSatisfy { $0.subject == "Info.plist" })
        #expect(diagnosis.identified.map(\.artifact) == ["Info.plist"])
    }

    /// As files lie beside each other after a call of `pay`: what is missing is told once, however often the wallets are offered.
    @Test func propertyListIsJudgedByWhatPayAskedAndAnswered() throws {
        let entries: [String: Any] = ["LSApplicationQueriesSchemes": ["dana"]]
        let plist = String(
            decoding: try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0), as: UTF8.self)
        let data = TestPhone.data().text
        let answer = #"{"result":{"resultStatus":"U"},"paymentData":"\#(data.replacing("\"", with: "\\\""))"}"#
        let asked = #"{"paymentRequestId":"1","paymentRedirectUrl":"shopapp://paid"}"#
        let files = [
            ("Info.plist", plist), ("answer.http", "HTTP/1.1 200 OK\r\n\r\n" + answer), ("answer.json", answer), ("data.json", data),
            ("pay.http", "POST /aps/api/v1/payments/pay HTTP/1.1\r\nclient-id: A\r\n\r\n" + asked), ("pay.json", asked),
        ]
        let expected = ["alipay-plus-app.query-scheme-missing", "alipay-plus-app.return-scheme-unregistered"]
        let codes = examine(files).findings.map(\.code)
        #expect(codes == expected)
        #expect(examine(files, schemes: ["ShopApp"]).findings.map(\.code) == expected)
        // Each of them alone says it too; a page to come back to needs no scheme.
        for file in files[1...3] {
            #expect(examine([files[0], file]).findings.map(\.code) == [expected[0]])
            #expect(examine([files[0], file, ("pay.json", asked.replacing("shopapp:", with: "https:"))]).findings.count == 1)
        }
        #expect(examine([files[0], files[4]]) == Diagnosis())
    }
}
