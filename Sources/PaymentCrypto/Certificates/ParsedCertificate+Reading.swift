import Crypto
public import Foundation

extension ParsedCertificate {
    /// SHA-256 of the whole certificate: its fingerprint.
    public var fingerprint: [UInt8] { Array(SHA256.hash(data: der)) }

    /// SHA-256 of the SubjectPublicKeyInfo: `publicKeyHash` in a wallet token's header (apple-pay.md#token). [V]
    public var publicKeyHash: [UInt8] { Array(SHA256.hash(data: subjectPublicKeyInfo)) }

    /// Subject and issuer are the same name.
    public var isSelfIssued: Bool { subject == issuer }

    /// The first extension of this type; nil when there is none.
    public func certificateExtension(_ oid: OID) -> CertificateExtension? { extensions.first { $0.oid == oid } }

    /// Whether the instant lies between its dates, both included. Nothing else is looked at.
    public func isValid(at instant: Date) -> Bool { instant >= notBefore && instant <= notAfter }

    /// Throws `malformed-asn1` when the extension is there and cannot be read; empty when it is absent.
    public var subjectAlternativeNames: [SubjectAlternativeName] {
        get throws(PaymentCryptoError) {
            guard let found = certificateExtension(.subjectAlternativeName) else { return [] }
            return try SubjectAlternativeName.names(in: Array(found.value))
        }
    }

    /// The key identifier of the subjectKeyIdentifier extension.
    public var subjectKeyIdentifier: ArraySlice<UInt8>? {
        guard let value = certificateExtension(.subjectKeyIdentifier)?.value else { return nil }
        var reader = BERReader(Array(value), rules: .der)
        guard let element = try? reader.next(0x04, "key identifier"), reader.isAtEnd else { return nil }
        return reader.slice(element.content)
    }

    /// The key identifier of the authorityKeyIdentifier extension.
    public var authorityKeyIdentifier: ArraySlice<UInt8>? {
        guard let value = certificateExtension(.authorityKeyIdentifier)?.value else { return nil }
        var outer = BERReader(Array(value), rules: .der)
        guard var inner = try? outer.enter(0x30, "authority key identifier"),
            let element = try? inner.nextIf(0x80)
        else { return nil }
        return inner.slice(element.content)
    }

    /// The hash of the merchant identifier in extension 1.2.840.113635.100.6.32: `0C 40` and 64 hexadecimal digits,
    /// decoded to 32 bytes (apple-pay.md#merchant-identifier-hash). Nil when it is absent or has another form. [V]
    public var merchantIdentifierHash: [UInt8]? {
        guard let value = certificateExtension(.merchantIdentifierHash)?.value, value.count == 66,
            value.starts(with: [0x0C, 0x40]),
            let digits = String(utf8: value.dropFirst(2))
        else { return nil }
        return try? Hexadecimal.decode(digits)
    }

    /// Says whether the issuer's key signed this certificate. It looks at nothing else.
    public func isSigned(by issuerKey: PublicKey) -> Bool {
        guard let signatureAlgorithm else { return false }
        return issuerKey.isValidSignature(signature, over: signedBytes, algorithm: signatureAlgorithm)
    }

    public var pem: String { PEMText.Block(label: "CERTIFICATE", bytes: der).text }

    /// Reads issuer and serial number alone from a raw certificate, to find a signer before anything is parsed whole.
    static func issuerAndSerial(
        of der: [UInt8]
    ) throws(PaymentCryptoError) -> (issuer: ArraySlice<UInt8>, serial: ArraySlice<UInt8>) {
        var outer = BERReader(der, rules: .der)
        var certificate = try outer.enter(0x30, "certificate")
        var tbs = try certificate.enter(0x30, "TBSCertificate")
        _ = try tbs.nextIf(0xA0)
        let serial = try tbs.nextInteger("serial number")
        _ = try tbs.next(0x30, "signature algorithm")
        return (tbs.slice(try tbs.next(0x30, "issuer").whole), serial)
    }
}

extension ParsedCertificate: Hashable, CustomStringConvertible {
    public static func == (left: ParsedCertificate, right: ParsedCertificate) -> Bool {
        left === right || left.der == right.der
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(der) }

    public var description: String { "certificate \(serialNumber.decimal) of \(subject)" }
}
