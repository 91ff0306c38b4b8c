/// The last line of defence before a log line is written: values under telling keys go, and so do digits that form a card number.
///
/// Code does not rely on it. Secrets travel in `Secret`, bodies are never logged; this catches the metadata of a library.
package struct LogScrubber: Sendable {
    package static let replacement = "‹secret›"

    private static let tellingWords = [
        "authorization", "cookie", "password", "passphrase", "secret", "token", "apikey", "api-key", "api_key", "private-key", "privatekey",
        "csrf", "cvv", "cvn", "pin-block", "track2", "cryptogram", "paymentdata",
    ].map { Array($0.utf8) }

    package init() {}

    package func value(_ value: String, under key: String) -> String {
        Self.isTelling(key) ? Self.replacement : text(value)
    }

    /// By bytes and in place, for every log line comes through here: searching texts took more than the rest of the line.
    private static func isTelling(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { key in
            tellingWords.contains { word in
                key.count >= word.count
                    && (0...(key.count - word.count)).contains { start in
                        word.indices.allSatisfy { lowercased(key[start + $0]) == word[$0] }
                    }
            }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Replaces each run of 13 to 19 digits that passes the Luhn check (ISO/IEC 7812-1).
    package func text(_ text: String) -> String {
        guard Self.holdsLongNumber(text.utf8) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard Self.isDigit(bytes[index]) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            var end = index
            while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
            let run = bytes[index..<end]
            result += (13...19).contains(run.count) && Self.passesLuhn(run) ? Array("‹card number›".utf8) : Array(run)
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func holdsLongNumber(_ bytes: String.UTF8View) -> Bool {
        var digits = 0
        for byte in bytes {
            digits = isDigit(byte) ? digits + 1 : 0
            if digits == 13 { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func passesLuhn(_ digits: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (position, byte) in digits.reversed().enumerated() {
            var digit = Int(byte - UInt8(ascii: "0"))
            if position % 2 == 1 {
                digit *= 2
                if digit > 9 { digit -= 9 }
            }
            sum += digit
        }
        return sum % 10 == 0
    }
}
