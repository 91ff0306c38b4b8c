import PaymentCryptoOpenSSL

/// The entry point that libFuzzer calls: files with a key that somebody else made, which OpenSSL opens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPKCS12(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let archive = try? PKCS12Archive(der: bytes, password: "000000") { _ = try? archive.privateKey }
    _ = try? SM2PrivateKey(der: bytes)
    _ = try? SM2PublicKey(subjectPublicKeyInfo: bytes)
    _ = try? OpenSSLRSAKey(der: bytes)
    return 0
}
