import BillfoldDiagnosis
import Foundation
import UnionPayDiagnosis

/// What the doctor is told beside the artifacts. The console tells it the time alone.
struct DoctorAids: Sendable {
    /// When certificates and times are judged.
    var instant: Date
    var unionPay = DiagnosticKeys(sm3: OpenSSLShangMi(), pkcs12: OpenSSLPKCS12(), recovery: OpenSSLRecovery())
    /// Shared keys of Alipay's sign_type MD5.
    var md5: [Secret<String>] = []
    /// Under which versions keys are registered at Alipay+, by the names of their artifacts.
    var keyVersions: [String: Int] = [:]
    /// What an app passes to `payOrder` or `startPay`.
    var appScheme: String?
}
