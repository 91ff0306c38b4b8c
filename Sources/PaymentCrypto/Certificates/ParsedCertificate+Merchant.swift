import Crypto

extension ParsedCertificate {
    /// What a merchant's certificate of the wallet is for.
    public enum MerchantUse: Sendable, Hashable {
        /// Tokens are encrypted to it.
        case processing
        /// It authenticates the merchant's server as a TLS client.
        case identity
    }

    /// Nil for a certificate that names no merchant identifier, by the extension or by a UID that begins with `merchant.`.
    ///
    /// The identity certificate allows TLS client authentication. An acquirer's signing certificate may allow it as well, so
    /// that alone says nothing. [I]
    public var merchantUse: MerchantUse? {
        guard certificateExtension(.merchantIdentifierHash) != nil || subject.userID?.hasPrefix("merchant.") == true else { return nil }
        // Extended key usage with TLS client authentication, 1.3.6.1.5.5.7.3.2.
        let clientAuthentication: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]
        let usage = certificateExtension(.extendedKeyUsage).map { Array($0.value) } ?? []
        return usage.firstRange(of: clientAuthentication) == nil ? .processing : .identity
    }

    /// Whether the certificate names this merchant: the subject's UID and the extension do, whichever are there. An extension
    /// that cannot be read names nobody.
    public func names(merchantHash: [UInt8]) -> Bool {
        let inExtension = certificateExtension(.merchantIdentifierHash).map { _ in merchantIdentifierHash ?? [] }
        let inSubject = subject.userID.map { Array(SHA256.hash(data: Array($0.utf8))) }
        let named = [inExtension, inSubject].compactMap { $0 }
        return !named.isEmpty && named.allSatisfy { $0 == merchantHash }
    }
}
