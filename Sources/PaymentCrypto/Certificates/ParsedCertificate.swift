import BillfoldConcurrency
import Crypto
public import Foundation

/// An X.509 certificate, parsed once and kept with its bytes. Parsing trusts nothing: the chain checker does.
///
/// A class, because it is shared: copies of a reference cost nothing, and its public key is parsed once for all.
public final class ParsedCertificate: Sendable {
    /// The certificate's own bytes.
    public let der: [UInt8]
    /// 1, 2 or 3.
    public let version: Int
    public let serialNumber: SerialNumber
    public let issuer: CertificateName
    public let subject: CertificateName
    /// First instant of validity.
    public let notBefore: Date
    /// Last instant of validity, itself included (RFC 5280 section 4.1.2.5).
    public let notAfter: Date
    /// DER of the SubjectPublicKeyInfo.
    public let subjectPublicKeyInfo: ArraySlice<UInt8>
    public let extensions: [CertificateExtension]
    /// What basicConstraints says; false when it is absent.
    public let isCertificateAuthority: Bool
    /// How many intermediates may follow; nil for no limit.
    public let pathLength: Int?
    /// Nil when the extension is absent, which restricts nothing.
    public let keyUsage: KeyUsage?
    /// Nil for an algorithm that is not supported.
    public let signatureAlgorithm: SignatureAlgorithm?
    public let signatureAlgorithmOID: OID
    /// What the issuer signed: the whole TBSCertificate element.
    public let signedBytes: ArraySlice<UInt8>
    public let signature: ArraySlice<UInt8>

    private let key = Locked<PublicKey?>(nil)

    /// The most bytes a certificate may have.
    public static let maximumSize = 16_384

    /// Parses strict DER; throws `malformed-certificate`, or `too-large` above ``maximumSize``.
    public convenience init(der: [UInt8]) throws(PaymentCryptoError) {
        guard der.count <= Self.maximumSize else {
            throw PaymentCryptoError(code: .tooLarge, reason: "a certificate of \(der.count) bytes")
        }
        do {
            try self.init(reading: der)
        } catch {
            guard error.code == .malformedASN1 else { throw error }
            throw PaymentCryptoError(code: .malformedCertificate, reason: error.reason)
        }
    }

    /// Parses the first `CERTIFICATE` block.
    public convenience init(pem: String) throws(PaymentCryptoError) {
        try self.init(der: PEMText(pem).first("CERTIFICATE"))
    }

    /// Parses every `CERTIFICATE` block, in order.
    public static func all(pem: String) throws(PaymentCryptoError) -> [ParsedCertificate] {
        var certificates = [ParsedCertificate]()
        for block in try PEMText(pem).blocks where block.label == "CERTIFICATE" {
            certificates.append(try ParsedCertificate(der: block.bytes))
        }
        return certificates
    }

    private init(reading der: [UInt8]) throws(PaymentCryptoError) {
        self.der = der
        var outer = BERReader(der, rules: .der)
        var certificate = try outer.enter(0x30, "certificate")
        try outer.requireEnd("certificate")
        let tbsElement = try certificate.next(0x30, "TBSCertificate")
        signedBytes = certificate.slice(tbsElement.whole)
        let algorithm = try certificate.next(0x30, "signature algorithm")
        signature = try certificate.nextBitString("signature")
        try certificate.requireEnd("certificate")

        var tbs = try certificate.inside(tbsElement)
        version = try Self.version(&tbs)
        serialNumber = SerialNumber(encoded: try tbs.nextInteger("serial number"))
        let innerAlgorithm = try tbs.next(0x30, "inner signature algorithm")
        // RFC 5280 section 4.1.1.2: the algorithm outside the signed part must repeat the one inside.
        guard tbs.slice(innerAlgorithm.whole).elementsEqual(tbs.slice(algorithm.whole)) else {
            throw BERReader.malformed("the two signature algorithms differ")
        }
        var algorithmReader = try tbs.inside(innerAlgorithm)
        signatureAlgorithmOID = try algorithmReader.nextOID("signature algorithm")
        signatureAlgorithm = SignatureAlgorithm(oid: signatureAlgorithmOID)
        issuer = CertificateName(der: tbs.slice(try tbs.next(0x30, "issuer").whole))
        var validity = try tbs.enter(0x30, "validity")
        notBefore = try validity.nextTime("notBefore")
        notAfter = try validity.nextTime("notAfter")
        try validity.requireEnd("validity")
        subject = CertificateName(der: tbs.slice(try tbs.next(0x30, "subject").whole))
        subjectPublicKeyInfo = tbs.slice(try tbs.next(0x30, "SubjectPublicKeyInfo").whole)
        _ = try tbs.nextIf(0x81)
        _ = try tbs.nextIf(0xA1)
        _ = try tbs.nextIf(0x82)
        _ = try tbs.nextIf(0xA2)
        extensions = try Self.extensions(&tbs, version: version)
        try tbs.requireEnd("TBSCertificate")

        (isCertificateAuthority, pathLength) = try Self.basicConstraints(extensions)
        keyUsage = try extensions.first { $0.oid == .keyUsage }.map { found throws(PaymentCryptoError) in
            try KeyUsage(reading: Array(found.value))
        }
    }

    private static func version(_ tbs: inout BERReader) throws(PaymentCryptoError) -> Int {
        guard let tagged = try tbs.nextIf(0xA0) else { return 1 }
        var inner = try tbs.inside(tagged)
        let number = try inner.nextSmallInteger("version")
        try inner.requireEnd("version")
        guard number == 1 || number == 2 else { throw BERReader.malformed("unknown certificate version") }
        return number + 1
    }

    private static func extensions(
        _ tbs: inout BERReader, version: Int
    ) throws(PaymentCryptoError) -> [CertificateExtension] {
        guard let tagged = try tbs.nextIf(0xA3) else { return [] }
        guard version == 3 else { throw BERReader.malformed("extensions before version 3") }
        var wrapper = try tbs.inside(tagged)
        var list = try wrapper.enter(0x30, "extensions")
        try wrapper.requireEnd("extensions")
        var found = [CertificateExtension]()
        found.reserveCapacity(12)
        while !list.isAtEnd {
            var item = try list.enter(0x30, "extension")
            let oid = try item.nextOID("extension type")
            let isCritical = item.peek == 0x01 ? try item.nextBoolean("critical") : false
            let value = item.slice(try item.next(0x04, "extension value").content)
            try item.requireEnd("extension")
            guard !found.contains(where: { $0.oid == oid }) else {
                throw BERReader.malformed("extension \(oid) stands twice")
            }
            guard found.count < 64 else { throw BERReader.malformed("more than 64 extensions") }
            found.append(CertificateExtension(oid: oid, isCritical: isCritical, value: value))
        }
        return found
    }

    private static func basicConstraints(
        _ extensions: [CertificateExtension]
    ) throws(PaymentCryptoError) -> (Bool, Int?) {
        guard let found = extensions.first(where: { $0.oid == .basicConstraints }) else { return (false, nil) }
        var outer = BERReader(Array(found.value), rules: .der)
        var inner = try outer.enter(0x30, "basic constraints")
        try outer.requireEnd("basic constraints")
        let isAuthority = inner.peek == 0x01 ? try inner.nextBoolean("CA flag") : false
        let length = inner.peek == 0x02 ? try inner.nextSmallInteger("path length") : nil
        try inner.requireEnd("basic constraints")
        return (isAuthority, length)
    }

    /// The certificate's public key, parsed at the first call. Throws `malformed-key` or `unsupported-key`.
    public var publicKey: PublicKey {
        get throws(PaymentCryptoError) {
            if let known = key.withLock({ $0 }) { return known }
            let parsed: PublicKey
            do {
                parsed = try PublicKey(subjectPublicKeyInfo: Array(subjectPublicKeyInfo))
            } catch {
                guard error.code == .malformedASN1 else { throw error }
                throw PaymentCryptoError(code: .malformedKey, reason: error.reason)
            }
            key.withLock { $0 = parsed }
            return parsed
        }
    }
}
