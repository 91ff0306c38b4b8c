/// A language of the texts that a super app's customers read: the eight of the payment sheet (alipay-plus.md#client-sdk [D]).
public enum SuperAppLanguage: String, Sendable, CaseIterable {
    case simplifiedChinese = "zh_CN"
    case traditionalChinese = "zh_HK"
    case english = "en_US"
    case korean = "ko_KR"
    case filipino = "fil_PH"
    case malay = "ms_MY"
    case indonesian = "id_ID"
    case thai = "th_TH"

    /// The first of a person's languages that is one of the eight; English where none is.
    ///
    /// - Parameter tags: As the system says them, the most wanted first: `zh-Hant-HK`, `ko`, `in_ID`. Chinese is traditional where its
    ///   script, or else its region, says so [I].
    public init(preferred tags: [String]) { self = tags.lazy.compactMap(Self.init(tag:)).first ?? .english }

    private init?(tag: String) {
        // A tag is ASCII (BCP 47, section 2.1): what only looks like one, as with the Kelvin sign, is none.
        guard tag.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
        switch parts.first {
        case "zh", "yue":
            let isTraditional =
                parts.contains("hant")
                || (!parts.contains("hans") && (parts[0] == "yue" || !Set(["tw", "hk", "mo"]).isDisjoint(with: parts)))
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
