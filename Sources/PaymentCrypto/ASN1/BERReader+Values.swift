import Foundation

extension BERReader {
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    mutating func nextOID(_ what: StaticString) throws(PaymentCryptoError) -> OID {
        let content = bytes[try next(0x06, what).content]
        guard let last = content.last, last & 0x80 == 0 else { throw Self.malformed("\(what) is a damaged identifier") }
        var startsArc = true
        for byte in content {
            if startsArc, byte == 0x80 { throw Self.malformed("\(what) is not in its shortest form") }
            startsArc = byte & 0x80 == 0
        }
        return OID(encoded: content)
    }

    /// The content of an INTEGER, two's complement, in its shortest form.
    mutating func nextInteger(_ what: StaticString) throws(PaymentCryptoError) -> ArraySlice<UInt8> {
        let content = bytes[try next(0x02, what).content]
        guard let first = content.first else { throw Self.malformed("\(what) is empty") }
        if content.count > 1 {
            let second = content[content.startIndex + 1]
            if (first == 0 && second < 0x80) || (first == 0xFF && second >= 0x80) {
                throw Self.malformed("\(what) is not in its shortest form")
            }
        }
        return content
    }

    /// A small non-negative INTEGER such as a version.
    mutating func nextSmallInteger(_ what: StaticString) throws(PaymentCryptoError) -> Int {
        let content = try nextInteger(what)
        guard content.count <= 4, content[content.startIndex] < 0x80 else { throw Self.malformed("\(what) is out of range") }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func nextBoolean(_ what: StaticString) throws(PaymentCryptoError) -> Bool {
        let content = bytes[try next(0x01, what).content]
        guard content.count == 1, let value = content.first, value == 0 || value == 0xFF || rules == .ber else {
            throw Self.malformed("\(what) is no boolean")
        }
        return value != 0
    }

    /// A BIT STRING whose bits fill whole bytes.
    mutating func nextBitString(_ what: StaticString) throws(PaymentCryptoError) -> ArraySlice<UInt8> {
        let content = bytes[try next(0x03, what).content]
        guard content.first == 0 else { throw Self.malformed("\(what) is no string of whole bytes") }
        return content.dropFirst()
    }

    /// UTCTime or GeneralizedTime in the form of RFC 5280 section 4.1.2.5: seconds present, UTC, no fraction.
    mutating func nextTime(_ what: StaticString) throws(PaymentCryptoError) -> Date {
        let element = try next()
        guard element.tag == 0x17 || element.tag == 0x18 else { throw Self.malformed("\(what) is no time") }
        guard let date = ASN1Time.date(bytes[element.content], hasCentury: element.tag == 0x18) else {
            throw Self.malformed("\(what) is no time of RFC 5280")
        }
        return date
    }

    /// AlgorithmIdentifier: the algorithm and its parameters, nil when absent.
    mutating func nextAlgorithm(
        _ what: StaticString
    ) throws(PaymentCryptoError) -> (oid: OID, parameters: ArraySlice<UInt8>?) {
        var inner = try enter(0x30, what)
        let oid = try inner.nextOID(what)
        guard !inner.isAtEnd else { return (oid, nil) }
        let parameters = try inner.next()
        try inner.requireEnd(what)
        return (oid, bytes[parameters.whole])
    }

    /// AlgorithmIdentifier of a digest or signature: parameters are absent or NULL, anything else is refused.
    mutating func nextPlainAlgorithm(_ what: StaticString) throws(PaymentCryptoError) -> OID {
        let (oid, parameters) = try nextAlgorithm(what)
        guard parameters?.elementsEqual(DERWriter.null) ?? true else {
            throw Self.malformed("\(what) has parameters other than NULL")
        }
        return oid
    }
}
