import Alipay
import AlipayDiagnosis
import BillfoldDiagnosis

extension AlipayGatewayCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [
            AlipayDiagnostician(keys: AlipayDiagnosticKeys(md5: aids.md5, recovery: OpenSSLRecovery())),
            InfoPlistDiagnostician(scheme: aids.appScheme),
        ]
    }
}
