import Crypto
import Foundation
public import PaymentCrypto

/// The serial numbers of certificate mode: `app_cert_sn`, `alipay_cert_sn` and `alipay_root_cert_sn`.
///
/// Source: alipay.md#certificate-mode [V]: md5 of the issuer's RFC 2253 text (last relative name first), then the decimal serial number.
public struct AlipayCertificateSerial: Sendable, Hashable, CustomStringConvertible {
    /// 32 lower-case hexadecimal digits; several joined by `_` for a root bundle.
    public let description: String

    public init(_ certificate: ParsedCertificate) {
        let text = certificate.issuer.rfc2253 + certificate.serialNumber.decimal
        description = Hexadecimal.encode(Array(Insecure.MD5.hash(data: Array(text.utf8))))
    }

    /// `app_cert_sn` and `alipay_cert_sn`: of the first certificate of a file. `unusable-key`.
    public init(pem: String) throws(AlipayError) {
        guard let first = try Self.certificates(pem).first else {
            throw AlipayError(code: .unusableKey, reason: "the file holds no certificate")
        }
        self.init(first)
    }

    /// `alipay_root_cert_sn`: of every certificate of a bundle that is signed with RSA; SM2 and ECDSA roots are left out.
    public init(rootBundle pem: String) throws(AlipayError) {
        let serials = try Self.certificates(pem).filter { $0.signatureAlgorithmOID.description.hasPrefix(Self.rsaFamily) }
        guard !serials.isEmpty else { throw AlipayError(code: .unusableKey, reason: "the bundle holds no certificate signed with RSA") }
        description = serials.map { Self($0).description }.joined(separator: "_")
    }

    private static let rsaFamily = "1.2.840.113549.1.1."

    static func certificates(_ pem: String) throws(AlipayError) -> [ParsedCertificate] {
        do { return try ParsedCertificate.all(pem: pem) } catch {
            throw AlipayError(code: .unusableKey, reason: "a certificate cannot be read: \(error.code)")
        }
    }
}

extension CertificateName {
    /// The name as RFC 2253 text: last relative name first, no spaces behind commas.
    package var rfc2253: String {
        attributes.reversed().map { "\(Self.rfc2253Names[$0.type.description] ?? $0.type.description)=\(Self.escaped($0.value))" }
            .joined(separator: ",")
    }

    private static let rfc2253Names = [
        "2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "STREET", "2.5.4.10": "O", "2.5.4.11": "OU",
        "0.9.2342.19200300.100.1.25": "DC", "0.9.2342.19200300.100.1.1": "UID",
    ]

    private static func escaped(_ value: String) -> String {
        var result = ""
        for (index, character) in value.enumerated() {
            let isEdge = index == 0 || index == value.count - 1
            if ",+\"\\<>;".contains(character) || (character == " " && isEdge) || (character == "#" && index == 0) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
