import ApplePay
import BillfoldDiagnosis
import UnionPay

extension CardPaymentsCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [
            ApplePayDiagnostician(at: aids.instant, hashPairs: OpenSSLHashPairs()),
            UnionPayDiagnostician(keys: aids.unionPay, instant: aids.instant),
        ]
    }
}
