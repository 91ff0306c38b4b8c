/// A language that customers are spoken to in: those of Alipay+'s payment sheet.
public enum PaymentLanguage: String, Sendable, Hashable, CaseIterable {
    case simplifiedChinese = "zh_CN"
    case traditionalChinese = "zh_HK"
    case english = "en_US"
    case korean = "ko_KR"
    case filipino = "fil_PH"
    case malay = "ms_MY"
    case indonesian = "id_ID"
    case thai = "th_TH"

    /// The language of a phone's setting, such as `zh-Hant-TW` or `ko_KR`; English where it is none of these.
    public init(tag: String) {
        // A tag is ASCII (BCP 47, section 2.1): what only looks like one, as with the Kelvin sign, is none.
        let isTag = tag.utf8.allSatisfy { $0 < 0x80 }
        let parts = isTag ? tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init) : []
        switch parts.first {
        case "zh", "yue":
            self =
                parts.contains { ["hant", "hk", "tw", "mo", "yue"].contains($0) } && !parts.contains("hans")
                ? .traditionalChinese : .simplifiedChinese
        case "ko": self = .korean
        case "fil", "tl": self = .filipino
        case "ms": self = .malay
        case "id", "in": self = .indonesian
        case "th": self = .thai
        default: self = .english
        }
    }
}
