extension Mask {
    /// Masks what is sensitive inside text of unknown content, such as an error message from outside: card numbers
    /// (13 to 19 digits with a valid check digit, spaces and hyphens allowed between them), e-mail addresses, and runs
    /// of 32 or more hexadecimal or 40 or more base64 characters (keys, tokens, cryptograms).
    ///
    /// This is the last net, not the first: a field whose meaning is known is masked by that meaning.
    public static func text(_ text: String) -> String {
        var result = ""
        var word: [Character] = []
        // A card number may contain spaces, so groups of digits are held back until something else ends them.
        func flush() {
            result += maskedRun(word)
            word = []
        }
        for character in text {
            let isCardSeparator = (character == " " || character == "-") && word.last?.isASCIIDigit == true && word.allSatisfy(\.isCardPart)
            if character.isBlobPart || isCardSeparator {
                if !word.isEmpty, word.contains(" "), !character.isCardPart { flush() }
                word.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }

    private static func maskedRun(_ run: [Character]) -> String {
        let tail = run.reversed().prefix { $0 == " " || $0 == "-" || $0 == "." }
        let word = Array(run.dropLast(tail.count))
        let ending = String(tail.reversed())
        let text = String(word)
        if word.allSatisfy(\.isCardPart) { return maskedCards(in: word) + ending }
        if word.contains("@") { return email(text) + ending }
        if word.count >= 32, word.allSatisfy(\.isHexDigit) { return hexadecimal(text) + ending }
        if word.count >= 40, word.allSatisfy(\.isBase64Part) { return base64(text) + ending }
        return String(run)
    }

    /// Looks for a card number in every stretch of neighbouring groups of digits, the longest stretch first.
    private static func maskedCards(in run: [Character]) -> String {
        var result = ""
        var start = 0
        while start < run.count {
            let isGroupStart = run[start].isASCIIDigit && (start == 0 || !run[start - 1].isASCIIDigit)
            let end =
                !isGroupStart
                ? nil
                : (start + 13...max(start + 13, run.count)).reversed().first { end in
                    guard end <= run.count, run[end - 1].isASCIIDigit, end == run.count || !run[end].isASCIIDigit else { return false }
                    let digits = run[start..<end].filter(\.isASCIIDigit)
                    return (13...19).contains(digits.count) && hasCheckDigit(digits)
                }
            if let end {
                result += cardNumber(String(run[start..<end].filter(\.isASCIIDigit)))
                start = end
            } else {
                result.append(run[start])
                start += 1
            }
        }
        return result
    }

    /// Luhn, ISO/IEC 7812-1 annex B.
    private static func hasCheckDigit(_ digits: [Character]) -> Bool {
        let values = digits.compactMap(\.wholeNumberValue).reversed()
        let sum = values.enumerated().reduce(0) { sum, item in
            let doubled = item.element * 2
            return sum + (item.offset % 2 == 0 ? item.element : (doubled > 9 ? doubled - 9 : doubled))
        }
        return sum % 10 == 0
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isCardPart: Bool { isASCIIDigit || self == " " || self == "-" }
    fileprivate var isBase64Part: Bool {
        isASCII && (isLetter || isNumber || self == "+" || self == "/" || self == "=" || self == "-" || self == "_")
    }
    /// What may stand inside a word that is worth looking at as a whole.
    fileprivate var isBlobPart: Bool { isBase64Part || self == "@" || self == "." }
}
