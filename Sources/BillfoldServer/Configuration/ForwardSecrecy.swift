import NIOSSL

extension TLSConfiguration {
    /// Leaves what keeps recorded traffic secret when a key is stolen later: TLS 1.3, and of TLS 1.2 the suites with an ephemeral
    /// exchange of keys and authenticated encryption (RFC 9325 section 4.2).
    mutating func requireForwardSecrecy() {
        minimumTLSVersion = .tlsv12
        cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
    }
}
