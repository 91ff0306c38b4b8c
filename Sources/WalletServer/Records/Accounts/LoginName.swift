/// What a customer logs in with: an e-mail address or a telephone number, in one spelling.
struct LoginName: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Reads what somebody typed; `nil` for what is neither. A mainland mobile number may come without `+86`.
    init?(_ typed: String) {
        let text = typed.filter { !$0.isWhitespace }
        guard (3...128).contains(text.utf8.count) else { return nil }
        if text.contains("@") {
            let parts = text.lowercased().split(separator: "@", omittingEmptySubsequences: false)
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), isPlain else { return nil }
            description = text.lowercased()
            return
        }
        let digits = text.filter { $0 != "-" }
        let number = digits.first == "+" ? digits.dropFirst() : digits[...]
        guard (7...15).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if digits.first == "+" {
            description = digits
        } else if number.utf8.count == 11, number.first == "1" {
            description = "+86" + number
        } else {
            return nil
        }
    }

    /// As much as its owner recognises: `mei***@example.test`, `139******01`.
    var masked: String {
        if let at = description.firstIndex(of: "@") {
            return description[..<at].prefix(3) + "***" + description[at...]
        }
        let digits = description.hasPrefix("+86") ? description.dropFirst(3) : description.dropFirst()
        return digits.prefix(3) + "******" + digits.suffix(2)
    }
}
