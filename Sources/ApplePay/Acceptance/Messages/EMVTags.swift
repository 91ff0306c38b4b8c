import PaymentCrypto

/// The data objects inside `emvData`, read for diagnosis only: the acquirer gets the original base64.
///
/// BER-TLV (EMV Book 3, annex B). An early Amex token held 9F27 9F36 9F26 9F10 5F34 95 82 9F03 9F1A 9A 9C 9F37;
/// a UnionPay sample held 9F26, 9F36, 81 and 83. [V]
public struct EMVTags: Sendable {
    /// One tag with its value, which may be sensitive.
    public struct DataObject: Sendable, Hashable {
        /// Upper-case hex, for example `9F26`.
        public var tag: String
        public var value: [UInt8]

        /// The field's name in EMV Book 3, where the tag is one that wallets were seen to send.
        public var name: String? {
            switch tag {
            case "9F26": "Application Cryptogram"
            case "9F27": "Cryptogram Information Data"
            case "9F36": "Application Transaction Counter"
            case "9F10": "Issuer Application Data"
            case "9F37": "Unpredictable Number"
            case "9F1A": "Terminal Country Code"
            case "9F03": "Amount, Other"
            case "5F34": "Application PAN Sequence Number"
            case "5F2A": "Transaction Currency Code"
            case "95": "Terminal Verification Results"
            case "82": "Application Interchange Profile"
            case "9A": "Transaction Date"
            case "9C": "Transaction Type"
            case "81": "Amount, Authorised (Binary)"
            default: nil
            }
        }
    }

    public var objects: [DataObject]

    public init(_ bytes: [UInt8]) throws(ApplePayError) {
        var objects: [DataObject] = []
        var index = 0
        func next() throws(ApplePayError) -> UInt8 {
            guard index < bytes.count else { throw ApplePayError(code: .malformedPayload, reason: "emvData ends inside a data object") }
            defer { index += 1 }
            return bytes[index]
        }
        while index < bytes.count {
            let start = index
            if try next() & 0x1F == 0x1F {
                // The tag goes on while the top bit is set; EMV uses at most three bytes in all.
                while try next() & 0x80 != 0, index - start < 3 {}
            }
            let tag = Hexadecimal.encode(Array(bytes[start..<index]), uppercase: true)
            var length = Int(try next())
            if length >= 0x80 {
                let count = length & 0x7F
                guard (1...2).contains(count) else {
                    throw ApplePayError(code: .malformedPayload, reason: "emvData has an indefinite or oversized length")
                }
                length = 0
                for _ in 0..<count { length = length << 8 | Int(try next()) }
            }
            guard bytes.count - index >= length else {
                throw ApplePayError(code: .malformedPayload, reason: "emvData ends inside the value of \(tag)")
            }
            objects.append(DataObject(tag: tag, value: Array(bytes[index..<index + length])))
            index += length
        }
        self.objects = objects
    }

    public subscript(tag: String) -> [UInt8]? { objects.first { $0.tag == tag }?.value }

    /// Encodes data objects; lengths beyond 127 take the long form. A value has at most 65,535 bytes.
    public static func encode(_ objects: [(tag: [UInt8], value: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (tag, value) in objects {
            bytes += tag
            precondition(value.count <= 0xFFFF, "a value of \(value.count) bytes has no length field")
            switch value.count {
            case 0..<0x80: bytes.append(UInt8(value.count))
            case 0x80..<0x100: bytes += [0x81, UInt8(value.count)]
            default: bytes += [0x82, UInt8(truncatingIfNeeded: value.count >> 8), UInt8(truncatingIfNeeded: value.count)]
            }
            bytes += value
        }
        return bytes
    }
}
