import BillfoldJSON

/// What is published of one combination of merchant, currency, region and logo: whether Alipay+ is offered, and how it is drawn.
///
/// Documented are `enabled`, `logos` and names of promotions by language. The members' spelling of the last is ours, as are
/// `brandName` and `disableReasons` [I]. Other members are left alone.
public struct PublishedOption: Sendable, Hashable {
    /// One image. All texts, as the SDK hands them on.
    public struct Logo: Sendable, Hashable {
        public var name: String?
        public var url: String?
        public var pattern: String?
        /// In pixels.
        public var width: String?
        public var height: String?

        public init(name: String? = nil, url: String? = nil, pattern: String? = nil, width: String? = nil, height: String? = nil) {
            self.name = name
            self.url = url
            self.pattern = pattern
            self.width = width
            self.height = height
        }
    }

    /// The most bytes that are read.
    public static let maximumLength = 65_536

    public var isEnabled: Bool
    public var brandName: String?
    public var logos: [Logo]
    /// Names of the promotions that run, by language; the best offer first.
    public var promotions: [AlipayPlusLanguage: [String]]
    /// Why it is not offered, by language, for the person who pays.
    public var disableReasons: [AlipayPlusLanguage: String]

    public init(
        isEnabled: Bool, brandName: String? = nil, logos: [Logo] = [], promotions: [AlipayPlusLanguage: [String]] = [:],
        disableReasons: [AlipayPlusLanguage: String] = [:]
    ) {
        self.isEnabled = isEnabled
        self.brandName = brandName
        self.logos = logos
        self.promotions = promotions
        self.disableReasons = disableReasons
    }

    /// Reads the file. Numbers and texts are taken for each other; a language that is none of the eight is left alone, and so is a
    /// promotion without a name. `option-malformed` for what is no object or does not say whether it is enabled.
    public init(_ bytes: [UInt8]) throws(AlipayPlusError) {
        let object: JSONObject
        do throws(JSONError) { object = try JSONReader.readObject(bytes, maximumBytes: Self.maximumLength) } catch {
            throw Self.malformed("is not strict JSON: \(error.code)")
        }
        guard let isEnabled = Self.flag(object["enabled"]) else { throw Self.malformed("does not say whether it is enabled") }
        self.init(isEnabled: isEnabled, brandName: object["brandName"]?.string)
        for value in object["logos"]?.array ?? [] {
            guard value.object != nil else { throw Self.malformed("holds a logo that is no object") }
            logos.append(
                Logo(
                    name: value["logoName"]?.scalar, url: value["logoUrl"]?.scalar, pattern: value["logoPattern"]?.scalar,
                    width: value["logoWidth"]?.scalar, height: value["logoHeight"]?.scalar))
        }
        for member in object["promoNames"]?.members ?? [] {
            guard let language = AlipayPlusLanguage(rawValue: member.key) else { continue }
            let names = member.value.array?.compactMap(\.string) ?? member.value.string.map { [$0] } ?? []
            promotions[language] = names.filter { !$0.isEmpty }
        }
        for member in object["disableReasons"]?.members ?? [] {
            guard let language = AlipayPlusLanguage(rawValue: member.key), let text = member.value.string, !text.isEmpty else { continue }
            disableReasons[language] = text
        }
    }

    /// The file's text. Members without a value are left out.
    public var text: String {
        var object = JSONObject([.init("enabled", .bool(isEnabled))])
        object["brandName"] = brandName.map(JSONValue.string)
        object["logos"] = .array(
            logos.map { logo in
                .texts([
                    "logoName": logo.name, "logoUrl": logo.url, "logoPattern": logo.pattern, "logoWidth": logo.width,
                    "logoHeight": logo.height,
                ])
            })
        let running = promotions.filter { !$0.value.isEmpty }
        object["promoNames"] = Self.byLanguage(running) { .array($0.map(JSONValue.string)) }
        object["disableReasons"] = Self.byLanguage(disableReasons, JSONValue.string)
        return JSONValue.object(object).text
    }

    /// The promotions in a language, in English where that has none; nil where none runs.
    public func promotions(in language: AlipayPlusLanguage) -> [String]? {
        [language, .english].compactMap { promotions[$0] }.first { !$0.isEmpty }
    }

    /// Why it is not offered, in a language or in English; nil where the file does not say.
    public func disableReason(in language: AlipayPlusLanguage) -> String? { disableReasons[language] ?? disableReasons[.english] }

    private static func byLanguage<Value>(_ values: [AlipayPlusLanguage: Value], _ json: (Value) -> JSONValue) -> JSONValue? {
        let members = AlipayPlusLanguage.allCases.compactMap { language in
            values[language].map { JSONObject.Member(language.rawValue, json($0)) }
        }
        return members.isEmpty ? nil : .object(JSONObject(members))
    }

    private static func flag(_ value: JSONValue?) -> Bool? {
        switch value {
        case .bool(let flag)?: flag
        case .string("true")?: true
        case .string("false")?: false
        default: nil
        }
    }

    private static func malformed(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .optionMalformed, reason: "the published option \(problem)")
    }
}
