public import Foundation

/// Strict base64 (RFC 4648 section 4): standard alphabet, full padding, no white space, no stray bits at the end.
///
/// One text means one byte string, so that a token cannot be written in two ways.
public enum StrictBase64 {
    /// Decodes text; throws `malformed-base64` and names the first wrong position.
    public static func decode(_ text: some StringProtocol) throws(PaymentCryptoError) -> [UInt8] {
        // A text that lies in one piece is read where it lies.
        guard let result = text.utf8.withContiguousStorageIfAvailable(read) else { return try decode(utf8: Array(text.utf8)[...]) }
        return try result.get()
    }

    /// Decodes the UTF-8 bytes of a text, for callers that hold a slice of a message.
    public static func decode(utf8 letters: ArraySlice<UInt8>) throws(PaymentCryptoError) -> [UInt8] {
        try letters.withUnsafeBufferPointer(read).get()
    }

    /// The only text that ``decode(_:)`` takes for these bytes.
    public static func encode(_ bytes: some ContiguousBytes) -> String {
        bytes.withUnsafeBytes { source in
            String(unsafeUninitializedCapacity: (source.count + 2) / 3 * 4) { write(source, into: $0) }
        }
    }

    private static let pad = UInt8(ascii: "=")
    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Value of each letter, 255 for none.
    private static let table: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for value in 0..<64 { values[Int(letters.utf8Start[value])] = UInt8(value) }
        return values
    }()

    private static func read(_ letters: UnsafeBufferPointer<UInt8>) -> Result<[UInt8], PaymentCryptoError> {
        guard letters.count.isMultiple(of: 4) else {
            return .failure(PaymentCryptoError(code: .malformedBase64, reason: "length \(letters.count) is no multiple of four"))
        }
        guard !letters.isEmpty else { return .success([]) }
        let last = letters.count - 1
        let padding = letters[last] == pad ? (letters[last - 1] == pad ? 2 : 1) : 0
        let size = letters.count / 4 * 3 - padding
        var wrong = -1
        let bytes = table.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: size) { target, count in
                count = fill(target, from: letters, values: values, padding: padding, wrong: &wrong)
            }
        }
        guard wrong < 0 else {
            return .failure(PaymentCryptoError(code: .malformedBase64, reason: "wrong letter or padding at position \(wrong)"))
        }
        return .success(bytes)
    }

    /// Returns how many letters were written.
    private static func write(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let letters = letters.utf8Start
        var written = 0
        var index = 0
        func put(first: UInt8, second: UInt8, third: UInt8) {
            target[written] = letters[Int(first >> 2)]
            target[written + 1] = letters[Int(first & 3) << 4 | Int(second >> 4)]
            target[written + 2] = letters[Int(second & 15) << 2 | Int(third >> 6)]
            target[written + 3] = letters[Int(third & 63)]
            written += 4
        }
        while source.count - index >= 3 {
            put(first: source[index], second: source[index + 1], third: source[index + 2])
            index += 3
        }
        let left = source.count - index
        if left > 0 {
            put(first: source[index], second: left == 2 ? source[index + 1] : 0, third: 0)
            target[written - 1] = pad
            if left == 1 { target[written - 2] = pad }
        }
        return written
    }

    private static func fill(
        _ target: UnsafeMutableBufferPointer<UInt8>, from source: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt8>, padding: Int, wrong: inout Int
    ) -> Int {
        var written = 0
        var index = 0
        let whole = padding == 0 ? source.count : source.count - 4
        while index < whole {
            let a = values[Int(source[index])]
            let b = values[Int(source[index + 1])]
            let c = values[Int(source[index + 2])]
            let d = values[Int(source[index + 3])]
            guard a | b | c | d < 64 else {
                wrong = index + [a, b, c, d].prefix { $0 < 64 }.count
                return written
            }
            target[written] = a << 2 | b >> 4
            target[written + 1] = b << 4 | c >> 2
            target[written + 2] = c << 6 | d
            written += 3
            index += 4
        }
        guard padding > 0 else { return written }
        let a = values[Int(source[index])]
        let b = values[Int(source[index + 1])]
        guard a | b < 64 else {
            wrong = a < 64 ? index + 1 : index
            return written
        }
        target[written] = a << 2 | b >> 4
        written += 1
        if padding == 2 {
            if b & 15 != 0 { wrong = index + 1 }
            return written
        }
        let c = values[Int(source[index + 2])]
        guard c < 64, c & 3 == 0 else {
            wrong = index + 2
            return written
        }
        target[written] = b << 4 | c >> 2
        return written + 1
    }
}
