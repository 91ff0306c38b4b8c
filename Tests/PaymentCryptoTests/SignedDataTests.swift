import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

struct SignedDataTests {
    private static let content = Array("what is signed".utf8)

    /// A message by a fresh leaf, with the checker that accepts it.
    static func encoder() throws -> (SignedDataEncoder, CertificateChainChecker) {
        var office = try ChainCase.authority()
        let key = try ChainCase.leafKey()
        let leaf = try office.walletLeaf(key.publicKey)
        let encoder = SignedDataEncoder(
            signer: key, algorithm: .ecdsaSHA256, signerCertificate: leaf, certificates: [leaf, office.intermediate],
            signingTime: ChainCase.now)
        return (encoder, office.checker())
    }

    @Test func encodedMessageReadsBackAndVerifies() throws {
        let (encoder, checker) = try Self.encoder()
        let bytes = try encoder.encode(content: Self.content)
        #expect(bytes.starts(with: [0x30, 0x80]))
        let message = try SignedData(ber: bytes)
        let signer = try #require(message.signers.first)
        #expect(message.certificates == encoder.certificates.map(\.der))
        #expect(message.certificate(of: signer) == encoder.signerCertificate.der)
        let attributes = try #require(signer.signedAttributes)
        #expect(attributes.signedBytes.first == 0x31)
        #expect(attributes.attributes.map(\.type) == [.cmsContentType, .cmsSigningTime, .cmsAlgorithmProtection, .cmsMessageDigest])
        #expect(attributes.signingTime == ChainCase.now)
        #expect(attributes.messageDigest.map { Array($0) } == Array(SHA256.hash(data: Self.content)))
        let leaf = try ParsedCertificate(der: #require(message.certificate(of: signer)))
        let chain = try checker.verify(leaf: leaf, offered: message.certificates, at: ChainCase.now)
        #expect(signer.isSignatureValid(by: chain.leafKey))
    }

    @Test func rsaSignerVerifies() throws {
        var (encoder, _) = try Self.encoder()
        let key = try RSAPrivateKey(bits: 2048)
        encoder.signer = key
        encoder.algorithm = .rsaPKCS1SHA256
        let signer = try #require(try SignedData(ber: encoder.encode(content: Self.content)).signers.first)
        #expect(signer.signatureAlgorithm == .rsaPKCS1SHA256)
        #expect(signer.isSignatureValid(by: key.publicKey))
        #expect(!signer.isSignatureValid(by: try ChainCase.leafKey().publicKey))
    }

    @Test func partsThatAreLeftOutAreMissed() throws {
        var (encoder, _) = try Self.encoder()
        encoder.signingTime = nil
        encoder.includesAlgorithmProtection = false
        encoder.writesDigestNullParameters = false
        let message = try SignedData(ber: encoder.encode(content: Self.content))
        #expect(message.digestAlgorithms == [.sha256])
        #expect(message.signers[0].signedAttributes?.signingTime == nil)
        #expect(message.signers[0].signedAttributes?.attribute(.cmsAlgorithmProtection) == nil)
        #expect(message.signers[0].isSignatureValid(by: encoder.signer.publicKey))
        encoder.includesSignedAttributes = false
        let bare = try SignedData(ber: encoder.encode(content: Self.content)).signers[0]
        #expect(bare.signedAttributes == nil)
        #expect(!bare.isSignatureValid(by: encoder.signer.publicKey))
        #expect(encoder.signer.publicKey.isValidSignature(bare.signature, over: Self.content, algorithm: .ecdsaSHA256))
    }

    @Test func embeddedContentIsHandedOut() throws {
        var (encoder, _) = try Self.encoder()
        encoder.embeddedContent = Array("something else".utf8)
        encoder.messageDigest = [UInt8](repeating: 1, count: 32)
        let message = try SignedData(ber: encoder.encode(content: Self.content))
        #expect(message.embeddedContent == encoder.embeddedContent)
        #expect(message.signers[0].signedAttributes?.messageDigest.map { Array($0) } == encoder.messageDigest)
    }

    @Test(arguments: [
        ("empty", "", PaymentCryptoError.Code.malformedSignedData), ("no sequence", "0500", .malformedSignedData),
        ("another content type", "300b06092a864886f70d010701", .malformedSignedData),
        ("no content", "300b06092a864886f70d010702", .malformedSignedData),
        ("length beyond the end", "30840fffffff", .malformedSignedData),
        ("length of five bytes", "30850000000001", .malformedSignedData),
        ("indefinite primitive", "0680", .malformedSignedData),
        ("multi-byte tag", "3f8101", .malformedSignedData),
    ])
    func damagedMessageIsRefused(_ name: String, _ hex: String, _ code: PaymentCryptoError.Code) throws {
        let bytes = try Hexadecimal.decode(hex)
        #expect(throws: PaymentCryptoError(code: code, reason: "")) { try SignedData(ber: bytes) }
    }

    @Test func nestingBombIsRefused() {
        let bomb = [UInt8](repeating: 0, count: 100_000).indices.map { UInt8($0.isMultiple(of: 2) ? 0x30 : 0x80) }
        #expect(throws: PaymentCryptoError(code: .nestingTooDeep, reason: "")) { try SignedData(ber: bomb) }
        let prefix: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80]
        #expect(throws: PaymentCryptoError(code: .nestingTooDeep, reason: "")) { try SignedData(ber: prefix + bomb) }
    }

    @Test func hugeMessageIsRefused() {
        let huge = [UInt8](repeating: 0x30, count: 10_000_000)
        #expect(throws: PaymentCryptoError(code: .tooLarge, reason: "")) { try SignedData(ber: huge) }
    }

    @Test func tooManyCertificatesAreRefused() throws {
        var (encoder, _) = try Self.encoder()
        encoder.certificates = Array(repeating: encoder.signerCertificate, count: 9)
        let bytes = try encoder.encode(content: Self.content)
        #expect(throws: PaymentCryptoError(code: .tooLarge, reason: "")) { try SignedData(ber: bytes) }
        var limits = SignedData.Limits()
        limits.certificates = 9
        #expect(try SignedData(ber: bytes, limits: limits).certificates.count == 9)
    }

    @Test func truncatedMessageIsRefusedAtEveryLength() throws {
        let bytes = try Self.encoder().0.encode(content: Self.content)
        for count in 0..<bytes.count {
            #expect(throws: PaymentCryptoError.self) { try SignedData(ber: Array(bytes[..<count])) }
        }
        #expect(throws: PaymentCryptoError.self) { try SignedData(ber: bytes + [0]) }
    }

    @Test func everyFlippedByteIsRefusedOrSeen() throws {
        let bytes = try Self.encoder().0.encode(content: Self.content)
        let original = Self.trace(try SignedData(ber: bytes))
        var refused = 0
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= mask
                guard let message = try? SignedData(ber: damaged) else {
                    refused += 1
                    continue
                }
                #expect(Self.trace(message) != original, "byte \(index) with \(mask) changes nothing that is read")
            }
        }
        #expect(refused > 300)
    }

    /// Everything that a reader can see of a message.
    private static func trace(_ message: SignedData) -> String {
        var parts = ["\(message.version)", "\(message.digestAlgorithms)", "\(message.contentType)", "\(message.embeddedContent ?? [])"]
        parts += message.certificates.map { Hexadecimal.encode($0) }
        for signer in message.signers {
            parts += ["\(signer.version)", "\(signer.digestAlgorithm)", "\(signer.signatureAlgorithmOID)"]
            parts.append(Hexadecimal.encode(signer.signature))
            parts.append(Hexadecimal.encode(signer.signedAttributes?.signedBytes ?? []))
            switch signer.identifier {
            case .issuerAndSerialNumber(let issuer, let serial): parts += [Hexadecimal.encode(issuer.der), serial.hex]
            case .subjectKeyIdentifier(let identifier): parts.append(Hexadecimal.encode(identifier))
            }
        }
        return parts.joined(separator: "|")
    }
}
