/// A language in which customers are told how a payment or an adding ended: the eight of the payment sheet. Raw values are language tags (BCP 47).
public enum CustomerLanguage: String, Sendable, Hashable, Codable, CaseIterable {
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case english = "en"
    case korean = "ko"
    case filipino = "fil"
    case malay = "ms"
    case indonesian = "id"
    case thai = "th"

    /// The nearest of the eight to a device's language, such as the first of `Locale.preferredLanguages`; English for another one. Chinese is
    /// traditional where its script, or else its region, says so.
    public init(device tag: String?) {
        // A tag is ASCII: what only looks like one, as with the Kelvin sign, is none.
        let isTag = tag?.utf8.allSatisfy { $0 < 0x80 } ?? false
        let parts = isTag ? tag?.lowercased().split { $0 == "-" || $0 == "_" } ?? [] : []
        switch parts.first {
        case "zh", "yue":
            let isOfRegion = !Set(["tw", "hk", "mo"]).isDisjoint(with: parts)
            let isTraditional = parts.contains("hant") || (!parts.contains("hans") && (parts.first == "yue" || isOfRegion))
            self = isTraditional ? .traditionalChinese : .simplifiedChinese
        case "ko": self = .korean
        case "fil", "tl": self = .filipino
        case "ms": self = .malay
        case "id", "in": self = .indonesian
        case "th": self = .thai
        default: self = .english
        }
    }
}
