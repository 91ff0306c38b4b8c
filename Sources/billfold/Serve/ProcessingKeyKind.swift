import PaymentCrypto

/// The merchant's two kinds of processing keys, and their files in the data folder.
enum ProcessingKeyKind: String, CaseIterable {
    case ec = "EC"
    case rsa = "RSA"

    /// The files' name without its ending; the first key of a kind has no number.
    func name(_ number: Int) -> String { "processing-\(rawValue.lowercased())" + (number > 1 ? "-\(number)" : "") }

    /// The keys that have a certificate, oldest first.
    func names(in folder: DataFolder) -> [String] {
        var names: [String] = []
        while folder.bytes("\(name(names.count + 1)).pem") != nil { names.append(name(names.count + 1)) }
        return names
    }

    /// A new private key, PEM.
    func make() throws -> String {
        var generator = SystemRandomNumberGenerator()
        let key: PrivateKey =
            switch self {
            case .ec: .p256(try P256PrivateKey(using: &generator))
            case .rsa: .rsa(try RSAPrivateKey(bits: 2048))
            }
        return PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text
    }

    /// What the merchant sends to the certificate office.
    func request(_ key: PrivateKey) throws -> CertificateRequest {
        try CertificateRequest(
            subject: CertificateRequest.merchantSubject(identifier: MerchantKeys.applePayIdentifier), signer: key.signer)
    }
}
