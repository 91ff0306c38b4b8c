import BillfoldDiagnosis
import PaymentCrypto

/// Which keys a merchant's certificates may have (apple-pay.md#merchant-certificates [D]).
enum MerchantKeyKind {
    static let due = "P-256, or RSA with 2048 bits"

    /// - Parameter kind: Nil for a key of a kind that is not read at all.
    static func isFit(_ kind: PublicKey.Kind?) -> Bool { kind == .p256 || kind == .rsa(bits: 2_048) }

    static func words(_ kind: PublicKey.Kind?) -> String {
        switch kind {
        case .p256?: "P-256"
        case .p384?: "P-384"
        case .rsa(let bits)?: "RSA with \(bits) bits"
        case nil: "another curve or size"
        }
    }
}

/// Requests for a merchant's certificates, before they are handed in.
struct CertificateRequestDiagnosis {
    let file: CaseFile

    func examine(into diagnosis: inout Diagnosis) {
        for request in file.certificateRequests {
            let (name, key) = (request.name, request.value.publicKey)
            diagnosis.identified.append(
                .init(
                    artifact: name, kind: "certificate-request",
                    summary: "certificate request of \(request.value.subject), \(MerchantKeyKind.words(key.kind)), "
                        + "publicKeyHash \(StrictBase64.encode(key.sha256))"))
            if !MerchantKeyKind.isFit(key.kind) { diagnosis.findings.append(Self.kind(name, MerchantKeyKind.words(key.kind))) }
        }
        for request in file.unreadableRequests {
            diagnosis.identified.append(
                .init(artifact: request.name, kind: "certificate-request", summary: "a certificate request that is refused"))
            diagnosis.findings.append(Self.refused(request.name, request.value))
        }
    }

    private static func kind(_ name: String, _ found: String) -> Finding {
        Finding(
            code: "apple-pay.request-key-kind", subject: name,
            cause: "Apple takes no request for a key of this kind: \"CSR algorithm/size incorrect\".",
            evidence: [.init("key", found), .init("due", MerchantKeyKind.due)],
            mend: "Make the key with the curve prime256v1 for payment processing, or with RSA and 2048 bits, and the request for that.")
    }

    private static func refused(_ name: String, _ error: PaymentCryptoError) -> Finding {
        if error.code == .unsupportedKey || error.code == .malformedKey { return kind(name, error.reason) }
        let isUnsigned = error.code == .issuingFailed
        return Finding(
            code: isUnsigned ? "apple-pay.request-signature" : "apple-pay.unreadable-pem", subject: name,
            cause: isUnsigned ? "The request is not signed by its own key." : "The PEM text does not hold what its labels say.",
            evidence: [.init("error", error.description)],
            mend: isUnsigned
                ? "Make the request anew with the key that it is for."
                : "Copy the file again, whole: markers, line breaks and base64 as they were.")
    }
}
