/// A certificate's serial number, which outside parties write in decimal (UnionPay's `certId`) or in hexadecimal.
public struct SerialNumber: Hashable, Sendable, CustomStringConvertible {
    /// Content bytes of the INTEGER, two's complement, big-endian.
    public let encoded: ArraySlice<UInt8>

    init(encoded: ArraySlice<UInt8>) { self.encoded = encoded }

    /// A non-negative number from its big-endian bytes.
    public init(magnitude: [UInt8]) { encoded = DERWriter.integer(magnitude: magnitude).dropFirst(2) }

    /// Reads decimal digits; nil for anything else, or for more than 60 of them.
    public init?(decimal: String) {
        guard !decimal.isEmpty, decimal.utf8.count <= 60 else { return nil }
        var bytes: [UInt8] = []
        for digit in decimal.utf8 {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            var carry = UInt16(digit - 0x30)
            for index in bytes.indices.reversed() {
                carry += UInt16(bytes[index]) * 10
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            if carry > 0 { bytes.insert(UInt8(carry), at: 0) }
        }
        self.init(magnitude: bytes)
    }

    /// Digits without leading zeros, with a minus sign for the negative numbers that faulty issuers produce.
    public var decimal: String {
        let isNegative = encoded.first.map { $0 >= 0x80 } ?? false
        var magnitude = Array(encoded)
        if isNegative {
            var carry: UInt16 = 1
            for index in magnitude.indices.reversed() {
                carry += UInt16(~magnitude[index])
                magnitude[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
        }
        var digits = [UInt8]()
        while magnitude.contains(where: { $0 != 0 }) {
            var rest: UInt16 = 0
            for index in magnitude.indices {
                let value = rest << 8 | UInt16(magnitude[index])
                magnitude[index] = UInt8(value / 10)
                rest = value % 10
            }
            digits.append(UInt8(ascii: "0") + UInt8(rest))
        }
        let text = digits.isEmpty ? "0" : String(decoding: digits.reversed(), as: UTF8.self)
        return isNegative ? "-" + text : text
    }

    /// Upper-case hexadecimal, without a leading zero byte.
    public var hex: String {
        let magnitude = encoded.count > 1 && encoded.first == 0 ? encoded.dropFirst() : encoded
        return Hexadecimal.encode(magnitude, uppercase: true)
    }

    public var description: String { decimal }

    public static func == (left: SerialNumber, right: SerialNumber) -> Bool { left.encoded.elementsEqual(right.encoded) }

    public func hash(into hasher: inout Hasher) { encoded.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
