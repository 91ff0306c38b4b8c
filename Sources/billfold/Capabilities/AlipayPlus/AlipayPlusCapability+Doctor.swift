import AlipayPlusDiagnosis
import AlipayPlusValues
import BillfoldDiagnosis

extension AlipayPlusCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [
            AlipayPlusDiagnostician(recovery: OpenSSLRecovery(), keyVersions: aids.keyVersions),
            PaymentSheetDiagnostician(
                at: AlipayPlusTime(aids.instant).millisecondsSince1970, returnSchemes: aids.appScheme.map { [$0] } ?? []),
        ]
    }
}
