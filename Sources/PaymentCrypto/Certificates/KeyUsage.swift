/// What a certificate's key may be used for (RFC 5280 section 4.2.1.3).
public struct KeyUsage: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    public static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    public static let revocationListSigning = KeyUsage(rawValue: 1 << 6)

    init(reading value: [UInt8]) throws(PaymentCryptoError) {
        var reader = BERReader(value, rules: .der)
        let content = reader.slice(try reader.next(0x03, "key usage").content)
        try reader.requireEnd("key usage")
        guard let unused = content.first, unused < 8, content.count >= 2, content.count <= 3 else {
            throw BERReader.malformed("key usage is no list of bits")
        }
        var bits: UInt16 = 0
        for (index, byte) in content.dropFirst().enumerated() {
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 { bits |= 1 << UInt16(index * 8 + bit) }
        }
        self.init(rawValue: bits)
    }

    /// The extension's DER value.
    package var der: [UInt8] {
        var bytes: [UInt8] = [0, 0]
        var last = 0
        for bit in 0..<16 where rawValue & 1 << UInt16(bit) != 0 {
            bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
            last = bit
        }
        if last < 8 { bytes.removeLast() }
        return DERWriter.element(0x03, [UInt8(7 - last % 8)] + bytes)
    }
}
