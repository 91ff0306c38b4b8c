public import AlipayPlusValues

/// A national merchant code by EMVCo's rules, such as DuitNow's: recognised and its check sum checked, its templates left to the network
/// that issued it. Its payments go by push (alipay-plus.md#national-qr [D]).
public struct EMVCoCode: Sendable, Hashable {
    public let text: String

    /// Takes a text that begins with `000201` and ends with a check sum `6304XXXX` that fits. `malformed-code`.
    public init(_ text: String) throws(AlipayPlusError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 512, text.hasPrefix("000201"), bytes.count > 14, text.dropLast(4).hasSuffix("6304") else {
            throw AlipayPlusError(
                code: .malformedCode, reason: "an EMVCo merchant code begins with 000201 and ends with 6304 and a check sum")
        }
        let sum = String(Self.checkSum(bytes.dropLast(4)), radix: 16, uppercase: true)
        guard String(repeating: "0", count: 4 - sum.count) + sum == text.suffix(4).uppercased() else {
            throw AlipayPlusError(code: .malformedCode, reason: "the check sum of the EMVCo code does not fit")
        }
        self.text = text
    }

    /// CRC-16/CCITT-FALSE over everything up to and with `6304`.
    static func checkSum(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0xFFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }
}
