import UnionPay
import X509

extension CertificateID {
    /// A certificate's serial number in hex, the wrong form that is searched for.
    static func hex(_ certificate: Certificate) -> String {
        certificate.serialNumber.bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
