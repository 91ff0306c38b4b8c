import ApplePay
import ApplePayDiagnosis
import BillfoldDiagnosis

extension ProvisioningCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [ProvisioningDiagnostician(at: aids.instant, cipher: OpenSSLZoneKeyCipher())]
    }
}
