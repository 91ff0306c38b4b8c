import Foundation
public import X509

/// Checks the signed text of UnionPay's client: RSA with SHA-1 over the lower-case hex text of the text's SHA-1
/// (unionpay-tn.md#signed-result [V]).
///
/// UnionPay signs with SHA-1 here whatever version the messages have, so this is evidence of origin as weak as SHA-1 is. That costs
/// nothing: what it tells settles nothing. Keep it on the server, where keys can be exchanged; an app with a built-in key fails with the
/// next one.
public struct LegacyAppResultSHA1Verifier: Sendable {
    private let keys: [String: Certificate.PublicKey]

    /// The keys under their `cert_id`: UnionPay publishes them beside its samples, one for the test environment and one for the live one.
    public init(keys: [CertificateID: Certificate.PublicKey]) {
        self.keys = Dictionary(keys.map { ($0.key.description, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The keys of certificates; dates and chains are not looked at.
    public init(certificates: [Certificate]) {
        keys = Dictionary(
            certificates.map { (CertificateID($0).description, $0.publicKey) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns what was signed. Throws `unknown-key` where no key has the text's `cert_id`, `signature-mismatch`, and what is wrong with
    /// the text.
    public func verified(_ result: UnverifiedAppResult) throws(UnionPayError) -> VerifiedAppResult {
        let named = try AppResultText.required("cert_id", AppResultText.values(result.data))
        guard let key = keys[named] else {
            throw UnionPayError(code: .unknownKey, reason: "no key of UnionPay's client is configured under this cert_id")
        }
        let text = LegacyRSASHA1.hexText(Array(result.data.utf8))
        guard let raw = SignatureDigest.canonicalBase64(result.sign),
            key.isValidSignature(raw, for: text, signatureAlgorithm: .sha1WithRSAEncryption)
        else { throw UnionPayError(code: .signatureMismatch, reason: "the signature does not fit the result") }
        return try VerifiedAppResult(checked: result.data)
    }
}

/// Signs results as UnionPay's client hands them out, for gateways that are run locally.
public struct LegacyAppResultSHA1Signer: Sendable {
    private let key: Certificate.PrivateKey
    private let certificateID: CertificateID

    public init(key: Certificate.PrivateKey, certificateID: CertificateID) {
        self.key = key
        self.certificateID = certificateID
    }

    /// The text and its signature. `unusable-key` when the key cannot sign.
    public func signed(_ word: AppResultWord, of number: TransactionNumber) throws(UnionPayError) -> UnverifiedAppResult {
        let data = "pay_result=\(word.rawValue)&tn=\(number)&cert_id=\(certificateID)"
        do {
            let text = LegacyRSASHA1.hexText(Array(data.utf8))
            let signature = try key.sign(bytes: text, signatureAlgorithm: .sha1WithRSAEncryption).rawRepresentation
            return UnverifiedAppResult(sign: Data(signature).base64EncodedString(), data: data)
        } catch { throw UnionPayError(code: .unusableKey, reason: "the RSA key cannot sign") }
    }
}
