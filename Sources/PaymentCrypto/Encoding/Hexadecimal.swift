public import Foundation

/// Strict hexadecimal: an even number of digits, either letter case, nothing else.
public enum Hexadecimal {
    /// Decodes text such as `0c40`; throws `malformed-hex` and names the first wrong position.
    public static func decode(_ text: some StringProtocol) throws(PaymentCryptoError) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else {
            throw PaymentCryptoError(code: .malformedHex, reason: "odd number of digits (\(digits.count))")
        }
        var bytes = [UInt8]()
        bytes.reserveCapacity(digits.count / 2)
        var index = 0
        while index < digits.count {
            let high = value(of: digits[index])
            let low = value(of: digits[index + 1])
            guard high < 16, low < 16 else {
                let position = high < 16 ? index + 1 : index
                throw PaymentCryptoError(code: .malformedHex, reason: "no hexadecimal digit at position \(position)")
            }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    /// Encodes bytes, in lower case unless told otherwise.
    public static func encode(_ bytes: some ContiguousBytes, uppercase: Bool = false) -> String {
        let alphabet = uppercase ? upper : lower
        return bytes.withUnsafeBytes { buffer in
            String(unsafeUninitializedCapacity: buffer.count * 2) { text in
                var index = 0
                for byte in buffer {
                    text[index] = alphabet[Int(byte >> 4)]
                    text[index + 1] = alphabet[Int(byte & 15)]
                    index += 2
                }
                return index
            }
        }
    }

    private static let lower = Array("0123456789abcdef".utf8)
    private static let upper = Array("0123456789ABCDEF".utf8)

    /// The digit's value, or 255.
    private static func value(of digit: UInt8) -> UInt8 {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: 255
        }
    }
}
