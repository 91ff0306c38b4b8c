import AlipayPlusDiagnosis
import BillfoldDiagnosis
import Foundation
import Testing

struct AlipayPlusDiagnosisExample {
    // Example
    /// Why a call is refused or an app shows no sheet, from files that belong together: messages with their headers, keys, payment data and an
    /// app's Info.plist.
    func codes(of files: [Artifact], at now: Date) -> [String] {
        let sheets = PaymentSheetDiagnostician(at: Int64(now.timeIntervalSince1970 * 1_000))
        return Diagnosis(of: files, by: [AlipayPlusDiagnostician(), sheets]).findings.map(\.code)
    }
    // End

    @Test func example() {
        let call = "POST /aps/api/v1/payments/pay HTTP/1.1\nClient-Id: SANDBOX_1\nRequest-Time: 2026-03-01T10:15:30+08:00\n\n{}"
        let found = codes(of: [Artifact(name: "pay.http", bytes: Array(call.utf8))], at: Date(timeIntervalSince1970: 1_772_330_000))
        #expect(found == ["alipay-plus.signature-missing"])
    }
}
