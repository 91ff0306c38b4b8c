public import CustomerLanguages

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

    /// The nearest of the eight to a device's language tag; nil for another language.
    public init?(deviceLanguage tag: String) {
        guard let language = CustomerLanguage(tag: tag) else { return nil }
        self.init(language)
    }

    /// As the fields carry a customer's language.
    public init(_ language: CustomerLanguage) {
        self =
            switch language {
            case .simplifiedChinese: .simplifiedChinese
            case .traditionalChinese: .traditionalChinese
            case .english: .english
            case .korean: .korean
            case .filipino: .filipino
            case .malay: .malay
            case .indonesian: .indonesian
            case .thai: .thai
            }
    }

    /// The language in which the texts of the clients are.
    public var customerLanguage: CustomerLanguage {
        switch self {
        case .simplifiedChinese: .simplifiedChinese
        case .traditionalChinese: .traditionalChinese
        case .english: .english
        case .korean: .korean
        case .filipino: .filipino
        case .malay: .malay
        case .indonesian: .indonesian
        case .thai: .thai
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
