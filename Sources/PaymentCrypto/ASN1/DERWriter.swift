/// Writes ASN.1 elements. Each function returns a whole element, so that structures read like their grammar.
package enum DERWriter {
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    package static func element(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] { element(tag, parts.reduce(into: []) { $0 += $1 }) }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts) }

    /// SET OF with its elements in the ascending byte order that DER asks for (X.690 section 11.6).
    static func setOf(_ parts: [[UInt8]], tag: UInt8 = 0x31) -> [UInt8] {
        element(tag, parts.sorted { $0.lexicographicallyPrecedes($1) })
    }

    package static func oid(_ oid: OID) -> [UInt8] { element(0x06, Array(oid.encoded)) }

    package static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    package static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    package static let null: [UInt8] = [0x05, 0x00]

    package static func integer(_ value: Int) -> [UInt8] {
        var bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
        while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
        return element(0x02, bytes)
    }

    /// A non-negative INTEGER from its magnitude, big-endian.
    static func integer(magnitude: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    /// An element of indefinite length (BER): content, then two zero bytes.
    static func indefinite(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] { parts.reduce(into: [tag, 0x80]) { $0 += $1 } + [0, 0] }

    package static func algorithm(_ oid: OID, nullParameters: Bool) -> [UInt8] {
        nullParameters ? sequence(self.oid(oid), null) : sequence(self.oid(oid))
    }

    static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes = withUnsafeBytes(of: count.bigEndian) { Array($0) }
        while bytes[0] == 0 { bytes.removeFirst() }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
