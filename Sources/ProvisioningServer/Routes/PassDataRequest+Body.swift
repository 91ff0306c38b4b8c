import ApplePay
import BillfoldJSON

extension PassDataRequest {
    /// Refuses with `malformed-request`, `nonce-encoding`, `nonce-length` or `nonce-signature-length`. Certificates are judged later, so
    /// that their report is whole.
    init(_ body: [UInt8]) throws(ProvisioningError) {
        let reader = try RequestReader(body, allowing: ["certificates", "nonce", "nonceSignature", "encoding"])
        let encoding = ProvisioningChallenge.Encoding(rawValue: try reader.text("encoding"))
        guard let encoding else { throw RequestReader.malformed("encoding", "is neither hex nor base64") }
        try self.init(reader, encoding: encoding)
    }

    /// The same where the form itself says how nonce and signature are written.
    init(_ reader: RequestReader, encoding: ProvisioningChallenge.Encoding) throws(ProvisioningError) {
        certificates = try reader.texts("certificates", maximum: 8, length: 16_384)
        let (nonce, signature) = (try reader.text("nonce"), try reader.text("nonceSignature", maximum: 1_024))
        do throws(ApplePayError) {
            challenge = try ProvisioningChallenge(nonce: nonce, nonceSignature: signature, encoding: encoding)
        } catch {
            throw ProvisioningError(code: Self.code(of: error), reason: error.reason)
        }
    }

    private static func code(of error: ApplePayError) -> ProvisioningError.Code {
        switch error.code {
        case .nonceLength: .nonceLength
        case .nonceSignatureLength: .nonceSignatureLength
        default: .nonceEncoding
        }
    }
}
