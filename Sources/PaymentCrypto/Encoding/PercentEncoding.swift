/// Percent-encoding of bytes (RFC 3986), with the space of forms as an option.
package enum PercentEncoding {
    /// The bytes behind the escapes; nil where a percent sign is not followed by two hexadecimal digits.
    package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var isSound = true
        let result = bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
                var index = 0
                while index < bytes.count {
                    // What stands between two escapes is copied in one go.
                    let end = bytes[index...].firstIndex(of: UInt8(ascii: "%")) ?? bytes.count
                    for byte in bytes[index..<end] {
                        result[count] = plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
                        count += 1
                    }
                    guard end < bytes.count else { return }
                    guard end + 2 < bytes.count, let high = hexDigit(bytes[end + 1]), let low = hexDigit(bytes[end + 2]) else {
                        isSound = false
                        return
                    }
                    result[count] = high << 4 | low
                    count += 1
                    index = end + 3
                }
            }
        }
        return isSound ? result : nil
    }

    /// Escapes every byte but `A-Z a-z 0-9 - . _` and those in `plain`; a space becomes `+` when told so.
    package static func encode(_ bytes: some Sequence<UInt8>, plain: StaticString = "", spaceAsPlus: Bool = false) -> String {
        // Callers in other modules come without specialisation, which a loop over their own type would pay for at every byte.
        bytes.withContiguousStorageIfAvailable { encode($0, plain: plain, spaceAsPlus: spaceAsPlus) }
            ?? Array(bytes).withUnsafeBufferPointer { encode($0, plain: plain, spaceAsPlus: spaceAsPlus) }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, plain: StaticString, spaceAsPlus: Bool) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 3) { text in
            encode(bytes, into: text, plain: plain, spaceAsPlus: spaceAsPlus)
        }
    }

    /// Writes the escaped bytes, at most three for each, and returns how many they are.
    package static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>, plain: StaticString = "",
        spaceAsPlus: Bool = false
    ) -> Int {
        let plain = UnsafeBufferPointer(start: plain.utf8Start, count: plain.utf8CodeUnitCount)
        var count = 0
        for byte in bytes {
            if isNameByte(byte) || plain.contains(byte) {
                text[count] = byte
                count += 1
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                text[count] = UInt8(ascii: "+")
                count += 1
            } else {
                text[count] = UInt8(ascii: "%")
                text[count + 1] = digit(byte >> 4)
                text[count + 2] = digit(byte & 15)
                count += 3
            }
        }
        return count
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble }

    /// Says whether a byte is one of `A-Z a-z 0-9 - . _`, which no form escapes.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The value of a hexadecimal digit in either letter case.
    package static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
