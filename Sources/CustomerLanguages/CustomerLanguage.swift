/// A language in which customers are spoken to: the eight of the payment sheet (docs/protocols/alipay-plus.md#client-sdk [D]). Raw values are
/// language tags (BCP 47).
public enum CustomerLanguage: String, Sendable, Hashable, Codable, CaseIterable {
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case english = "en"
    case korean = "ko"
    case filipino = "fil"
    case malay = "ms"
    case indonesian = "id"
    case thai = "th"

    /// The first of a person's languages that is one of the eight; English where none is.
    /// - Parameter tags: As the system says them, the most wanted first, such as `Locale.preferredLanguages`.
    public init(preferred tags: [String]) { self = tags.lazy.compactMap(Self.init(tag:)).first ?? .english }

    /// The language of a tag such as `zh-Hant-TW`, `ko_KR` or `fil`; nil for another language. Chinese is traditional where its script, or else
    /// its region, says so [I].
    public init?(tag: String) {
        // A tag is ASCII (BCP 47, section 2.1): what only looks like one, as with the Kelvin sign, is none.
        guard tag.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
        switch parts.first {
        case "zh", "yue":
            let isOfRegion = parts[0] == "yue" || !Set(["tw", "hk", "mo"]).isDisjoint(with: parts)
            let isTraditional = parts.contains("hant") || (!parts.contains("hans") && isOfRegion)
            self = isTraditional ? .traditionalChinese : .simplifiedChinese
        case "en": self = .english
        case "ko": self = .korean
        case "fil", "tl": self = .filipino
        case "ms": self = .malay
        case "id", "in": self = .indonesian
        case "th": self = .thai
        default: return nil
        }
    }
}
