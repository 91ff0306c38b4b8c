import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import SwiftASN1
import Testing
import X509

/// Compares with another library's reading of the same bytes.
struct CertificateTests {
    static func issued() throws -> [ParsedCertificate] {
        var office = try ChainCase.authority()
        let rsa = try RSAPrivateKey(bits: 2048)
        return [
            office.root, office.intermediate, try office.walletLeaf(ChainCase.leafKey().publicKey),
            try office.walletLeaf(rsa.publicKey),
            try office.merchantCertificate(ChainCase.leafKey().publicKey, identifier: "merchant.example.shop"),
            try office.walletLeaf(
                ChainCase.leafKey().publicKey, changes: { $0.notAfter = Date(timeIntervalSince1970: 2_524_608_000) }),
        ]
    }

    @Test func issuedCertificatesReadAlikeInAnotherLibrary() throws {
        for certificate in try Self.issued() { try compare(certificate) }
    }

    @Test(.enabled(if: Vectors.available("apple-pay-acceptance")))
    func realCertificatesReadAlikeInAnotherLibrary() throws {
        for vector in TokenVector.all {
            try compare(ParsedCertificate(pem: vector.text(vector.root)))
            if let file = vector.certificate { try compare(ParsedCertificate(pem: vector.text(file))) }
            for raw in try SignedData(ber: StrictBase64.decode(vector.payment().signature)).certificates {
                try compare(ParsedCertificate(der: raw))
            }
        }
    }

    private func compare(_ certificate: ParsedCertificate) throws {
        let other = try Certificate(derEncoded: certificate.der)
        #expect(Array(other.serialNumber.bytes) == Array(certificate.serialNumber.encoded.drop { $0 == 0 }))
        #expect(other.notValidBefore == certificate.notBefore)
        #expect(other.notValidAfter == certificate.notAfter)
        #expect(other.extensions.map { $0.oid.description } == certificate.extensions.map(\.oid.description))
        #expect(other.extensions.map { Array($0.value) } == certificate.extensions.map { Array($0.value) })
        #expect(other.extensions.map(\.critical) == certificate.extensions.map(\.isCritical))
        let names = other.subject.flatMap { $0 }.map { "\($0.type)=\(String($0.value) ?? "")" }
        #expect(names == certificate.subject.attributes.map { "\($0.type)=\($0.value)" })
        if case .isCertificateAuthority(let length)? = try other.extensions.basicConstraints {
            #expect(certificate.isCertificateAuthority)
            #expect(certificate.pathLength == length)
        } else {
            #expect(!certificate.isCertificateAuthority)
        }
        let usage = try #require(try other.extensions.keyUsage)
        #expect(certificate.keyUsage?.contains(.digitalSignature) == usage.digitalSignature)
        #expect(certificate.keyUsage?.contains(.certificateSigning) == usage.keyCertSign)
        #expect(certificate.keyUsage?.contains(.revocationListSigning) == usage.cRLSign)
        #expect(certificate.keyUsage?.contains(.keyAgreement) == usage.keyAgreement)
        var serializer = DER.Serializer()
        try other.publicKey.serialize(into: &serializer, withIdentifier: .sequence)
        #expect(serializer.serializedBytes == Array(certificate.subjectPublicKeyInfo))
        #expect(try ParsedCertificate(pem: certificate.pem) == certificate)
    }

    @Test func everyFlippedOrMissingByteIsRefusedOrBreaksTheSignature() throws {
        let office = try ChainCase.authority()
        let der = office.intermediate.der
        let key = office.rootIssuer.signer.publicKey
        for index in der.indices {
            #expect(throws: PaymentCryptoError.self) { try ParsedCertificate(der: Array(der[..<index])) }
            var damaged = der
            damaged[index] ^= 0x01
            guard let certificate = try? ParsedCertificate(der: damaged) else { continue }
            #expect(!certificate.isSigned(by: key), "byte \(index)")
        }
        #expect(throws: PaymentCryptoError(code: .malformedCertificate, reason: "")) { try ParsedCertificate(der: der + [0]) }
        #expect(throws: PaymentCryptoError(code: .tooLarge, reason: "")) {
            try ParsedCertificate(der: [UInt8](repeating: 0x30, count: 20_000))
        }
    }

    @Test func extensionThatStandsTwiceIsRefused() throws {
        #expect(throws: PaymentCryptoError(code: .malformedCertificate, reason: "")) {
            try ChainCase.chain(leaf: { $0.extensions = [.marker("1.2.3"), .marker("1.2.3")] })
        }
    }

    @Test func alternativeNamesAreRead() throws {
        let value: [UInt8] = [0x30, 0x0D, 0x82, 0x05] + Array("a.com".utf8) + [0x87, 0x04, 127, 0, 0, 1]
        let chain = try ChainCase.chain(
            leaf: { $0.extensions.append(CertificateExtension(oid: .subjectAlternativeName, value: value)) })
        #expect(try chain.leaf.subjectAlternativeNames == [.dnsName("a.com"), .ipAddress([127, 0, 0, 1])])
    }

    @Test func merchantHashOfAnotherFormIsNil() throws {
        var office = try ChainCase.authority()
        let hash = Array(SHA256.hash(data: Array("m".utf8)))
        let key = try ChainCase.leafKey().publicKey
        #expect(try office.merchantCertificate(key, identifier: "m").merchantIdentifierHash == hash)
        for value: [UInt8] in [
            [0x0C, 0x40], [0x0C, 0x3E] + Array(repeating: 0x41, count: 62), [0x0C, 0x40] + Array(repeating: 0x5A, count: 64),
        ] {
            let certificate = try office.merchantCertificate(
                key, identifier: "m", changes: { $0.extensions = [CertificateExtension(oid: .merchantIdentifierHash, value: value)] })
            #expect(certificate.merchantIdentifierHash == nil)
        }
        let real = try office.merchantCertificate(key, identifier: "m").certificateExtension(.merchantIdentifierHash)
        #expect(real.map { Array($0.value) } == [0x0C, 0x40] + Array(Hexadecimal.encode(hash, uppercase: true).utf8))
    }
}

struct CertificateRequestTests {
    @Test func requestReadsBackHereAndInAnotherLibrary() throws {
        let signers: [any MessageSigner] = [try ChainCase.leafKey(), try RSAPrivateKey(bits: 2048)]
        for signer in signers {
            let subject = CertificateRequest.merchantSubject(identifier: "merchant.example.shop", organization: "Example")
            let request = try CertificateRequest(subject: subject, signer: signer)
            let read = try CertificateRequest(pem: request.pem)
            #expect(read.subject.userID == "merchant.example.shop")
            #expect(read.subject.commonName == "merchant.example.shop")
            #expect(read.subject.organizationName == "Example")
            #expect(read.publicKey == signer.publicKey)
            let other = try CertificateSigningRequest(pemEncoded: request.pem)
            #expect(other.publicKey.isValidSignature(other.signature, for: other))
            for index in stride(from: 0, to: request.der.count, by: 3) {
                var damaged = request.der
                damaged[index] ^= 0x02
                #expect(throws: PaymentCryptoError.self) { try CertificateRequest(der: damaged) }
            }
        }
    }

    @Test func templateThatEndsBeforeItBeginsIsRefused() throws {
        #expect(throws: PaymentCryptoError(code: .issuingFailed, reason: "")) {
            try ChainCase.chain(leaf: { $0.notAfter = $0.notBefore - 1 })
        }
        #expect(throws: PaymentCryptoError(code: .issuingFailed, reason: "")) {
            try ChainCase.chain(leaf: { $0.serialNumber = SerialNumber(magnitude: [UInt8](repeating: 1, count: 21)) })
        }
    }
}
