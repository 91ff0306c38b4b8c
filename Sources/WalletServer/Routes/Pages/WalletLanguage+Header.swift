extension WalletLanguage {
    /// The language that a browser's `Accept-Language` likes best; English where it names neither.
    static func preferred(by header: String?) -> WalletLanguage {
        var best: (language: WalletLanguage, weight: Int) = (.english, 0)
        for part in (header ?? "").prefix(512).lowercased().split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
            // A tag is ASCII (BCP 47, section 2.1): what only looks like one, as with the Kelvin sign, is none.
            guard let tag = pieces.first, tag.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            let language: WalletLanguage
            if tag == "en" || tag.hasPrefix("en-") {
                language = .english
            } else if tag == "zh" || tag.hasPrefix("zh-") {
                language = .chinese
            } else {
                continue
            }
            let liking = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { weight($0.dropFirst(2)) } ?? 1000
            if liking > best.weight { best = (language, liking) }
        }
        return best.language
    }

    /// Thousandths: `0.8` is 800.
    private static func weight(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first.flatMap({ Int($0) }) else { return 0 }
        let digits = parts.count > 1 ? parts[1].prefix(3) : ""
        let fraction = Int(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        return min(1000, max(0, whole * 1000 + fraction))
    }
}
