/// Percent-encoding of bytes (RFC 3986), with the space of forms as an option.
package enum PercentEncoding {
    /// The bytes behind the escapes; nil where a percent sign is not followed by two hexadecimal digits.
    package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace:
                result.append(UInt8(ascii: " "))
                index += 1
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2]) else {
                    return nil
                }
                result.append(high << 4 | low)
                index += 3
            default:
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    /// Escapes every byte but `A-Z a-z 0-9 - . _` and those in `plain`; a space becomes `+` when told so.
    package static func encode(_ bytes: some Sequence<UInt8>, plain: StaticString = "", spaceAsPlus: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let plain = UnsafeBufferPointer(start: plain.utf8Start, count: plain.utf8CodeUnitCount)
        var result: [UInt8] = []
        for byte in bytes {
            if isNameByte(byte) || plain.contains(byte) {
                result.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                result.append(UInt8(ascii: "+"))
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

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
