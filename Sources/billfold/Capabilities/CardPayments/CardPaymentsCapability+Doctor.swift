import ApplePay
import ApplePayDiagnosis
import BillfoldDiagnosis
import UnionPay
import UnionPayDiagnosis

extension CardPaymentsCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [
            ApplePayDiagnostician(at: aids.instant, hashPairs: OpenSSLHashPairs()),
            UnionPayDiagnostician(keys: aids.unionPay, instant: aids.instant),
            WebhookDiagnostician(instant: aids.instant),
        ]
    }
}
