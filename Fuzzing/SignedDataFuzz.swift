import PaymentCrypto

/// The entry point that libFuzzer calls: every parser of PaymentCrypto that reads what a stranger sends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSignedData(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let message = try? SignedData(ber: bytes) {
        for signer in message.signers { _ = message.certificate(of: signer) }
        for raw in message.certificates { _ = try? ParsedCertificate(der: raw) }
    }
    if let certificate = try? ParsedCertificate(der: bytes) {
        _ = certificate.subject.description
        _ = certificate.serialNumber.decimal
        _ = certificate.merchantIdentifierHash
        _ = certificate.authorityKeyIdentifier
        _ = try? certificate.subjectAlternativeNames
        _ = try? certificate.publicKey
    }
    _ = try? CertificateRequest(der: bytes)
    _ = try? PrivateKey(der: bytes)
    return 0
}
