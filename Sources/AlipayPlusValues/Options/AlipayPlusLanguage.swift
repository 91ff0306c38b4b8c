/// A language of the SDK and of the payment sheet. Raw values are what the fields carry.
public enum AlipayPlusLanguage: String, Sendable, Hashable, Codable, CaseIterable {
    case simplifiedChinese = "zh_CN"
    case traditionalChinese = "zh_HK"
    case english = "en_US"
    case korean = "ko_KR"
    case filipino = "fil_PH"
    case malay = "ms_MY"
    case indonesian = "id_ID"
    case thai = "th_TH"

    /// As the iOS SDK takes its field: anything that is not one of the eight, spelt exactly so, means English [D].
    public init(inApp given: String?) { self = given.flatMap(Self.init(rawValue:)) ?? .english }

    /// As a web page takes it: a valid value counts, else the device's language where it is one of the eight, else English [D].
    /// - Parameters:
    ///   - given: What the link says.
    ///   - device: The device's language, as a field (`ko_KR`) or as browsers say it (`ko`, `zh-Hant-TW`).
    public init(onWeb given: String?, device: String?) {
        self = given.flatMap(Self.init(rawValue:)) ?? device.flatMap(Self.init(deviceLanguage:)) ?? .english
    }

    /// The nearest of the eight to a device's language tag; nil for another language. Chinese is traditional where its script, or
    /// else its region, says so [I].
    public init?(deviceLanguage tag: String) {
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

    /// The language of a page in HTML's terms (BCP 47).
    public var htmlTag: String {
        switch self {
        case .simplifiedChinese: "zh-Hans"
        case .traditionalChinese: "zh-Hant-HK"
        default: rawValue.replacing("_", with: "-")
        }
    }
}
