/// A CMS SignedData (RFC 5652 section 5), read from BER: indefinite lengths and unsorted sets as wallets write them.
///
/// Reading verifies nothing. The content is the caller's: see ``embeddedContent``.
public struct SignedData: Sendable {
    /// What a message may hold at most; a real wallet signature has about 3 kB, two certificates and one signer.
    public struct Limits: Sendable {
        public var bytes = 262_144
        public var depth = 16
        public var certificates = 8
        public var signers = 4
        public var attributes = 32

        public init() {}
    }

    public let version: Int
    public let digestAlgorithms: [OID]
    public let contentType: OID
    /// Content inside the message, nil for a detached signature. It must equal the bytes that the caller hashes: a
    /// replayed message may carry its own (apple-pay.md#signed-bytes). [V]
    public let embeddedContent: [UInt8]?
    /// The certificates as they came, each one raw and unparsed, in the message's order, which says nothing.
    public let certificates: [[UInt8]]
    public let signers: [SignerInfo]

    /// Reads a message. Throws `malformed-signed-data`, `too-large` or `nesting-too-deep`.
    public init(ber bytes: [UInt8], limits: Limits = Limits()) throws(PaymentCryptoError) {
        guard bytes.count <= limits.bytes else {
            throw PaymentCryptoError(code: .tooLarge, reason: "\(bytes.count) bytes; at most \(limits.bytes)")
        }
        do {
            try self.init(reading: bytes, limits)
        } catch {
            guard error.code == .malformedASN1 else { throw error }
            throw PaymentCryptoError(code: .malformedSignedData, reason: error.reason)
        }
    }

    private init(reading bytes: [UInt8], _ limits: Limits) throws(PaymentCryptoError) {
        var outer = BERReader(bytes, rules: .ber, maximumDepth: limits.depth)
        var info = try outer.enter(0x30, "ContentInfo")
        try outer.requireEnd("ContentInfo")
        guard try info.nextOID("content type") == .cmsSignedData else { throw BERReader.malformed("no SignedData") }
        var wrapper = try info.enter(0xA0, "content")
        try info.requireEnd("ContentInfo")
        var body = try wrapper.enter(0x30, "SignedData")
        try wrapper.requireEnd("content")

        version = try body.nextSmallInteger("version")
        var digests = try body.enter(0x31, "digest algorithms")
        var algorithms = [OID]()
        while !digests.isAtEnd {
            algorithms.append(try digests.nextPlainAlgorithm("digest algorithm"))
            try Self.require(algorithms.count <= 8, "digest algorithms")
        }
        digestAlgorithms = algorithms

        var encapsulated = try body.enter(0x30, "encapsulated content")
        contentType = try encapsulated.nextOID("encapsulated content type")
        if let tagged = try encapsulated.nextIf(0xA0) {
            var inner = try encapsulated.inside(tagged)
            embeddedContent = try Self.octets(&inner)
            try inner.requireEnd("encapsulated content")
        } else {
            embeddedContent = nil
        }
        try encapsulated.requireEnd("encapsulated content")

        var raw = [[UInt8]]()
        if let tagged = try body.nextIf(0xA0) {
            var inner = try body.inside(tagged)
            while !inner.isAtEnd {
                raw.append(Array(inner.slice(try inner.next(0x30, "certificate").whole)))
                try Self.require(raw.count <= limits.certificates, "certificates")
            }
        }
        certificates = raw
        _ = try body.nextIf(0xA1)  // revocation lists: fetched out of band, never trusted from a message

        var infos = try body.enter(0x31, "signer infos")
        var signers = [SignerInfo]()
        while !infos.isAtEnd {
            var inner = try infos.enter(0x30, "signer info")
            signers.append(try SignerInfo(reading: &inner, limits))
            try Self.require(signers.count <= limits.signers, "signers")
        }
        self.signers = signers
        try body.requireEnd("SignedData")
    }

    /// The raw certificate that a signer names, found by issuer and serial number or by key identifier, never by position.
    public func certificate(of signer: SignerInfo) -> [UInt8]? {
        certificates.first { raw in
            switch signer.identifier {
            case .issuerAndSerialNumber(let issuer, let serial):
                guard let found = try? ParsedCertificate.issuerAndSerial(of: raw) else { return false }
                return found.serial.elementsEqual(serial.encoded) && found.issuer.elementsEqual(issuer.der)
            case .subjectKeyIdentifier(let identifier):
                guard let found = try? ParsedCertificate(der: raw).subjectKeyIdentifier else { return false }
                return found.elementsEqual(identifier)
            }
        }
    }

    static func require(_ condition: Bool, _ what: String) throws(PaymentCryptoError) {
        guard condition else { throw PaymentCryptoError(code: .tooLarge, reason: "too many \(what)") }
    }

    /// An OCTET STRING, whole or in the pieces that BER allows.
    private static func octets(_ reader: inout BERReader) throws(PaymentCryptoError) -> [UInt8] {
        if let whole = try reader.nextIf(0x04) { return Array(reader.slice(whole.content)) }
        var pieces = try reader.enter(0x24, "content octets")
        var bytes = [UInt8]()
        while !pieces.isAtEnd { bytes += pieces.slice(try pieces.next(0x04, "piece of the content").content) }
        return bytes
    }
}
