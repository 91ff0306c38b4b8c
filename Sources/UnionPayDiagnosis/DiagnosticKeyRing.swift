import X509

/// The certificates and keys among the artifacts.
struct DiagnosticKeyRing {
    struct Holder {
        var certificate: Certificate?
        var publicKey: Certificate.PublicKey
        var source: String
    }

    private(set) var holders: [Holder] = []
    private(set) var anchors: [Certificate] = []
    private(set) var intermediates: [Certificate] = []

    mutating func add(_ certificate: Certificate, from source: String) {
        if case .isCertificateAuthority? = (try? certificate.extensions.basicConstraints) ?? nil {
            if certificate.issuer == certificate.subject { anchors.append(certificate) } else { intermediates.append(certificate) }
        } else {
            holders.append(Holder(certificate: certificate, publicKey: certificate.publicKey, source: source))
        }
    }

    mutating func add(_ key: Certificate.PrivateKey, from source: String) {
        guard !holders.contains(where: { $0.publicKey == key.publicKey }) else { return }
        holders.append(Holder(certificate: nil, publicKey: key.publicKey, source: source))
    }

    var certificates: [Certificate] { holders.compactMap(\.certificate) }
}
