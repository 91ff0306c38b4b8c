import AlipayPlusValues

/// The sentences and words of the payment sheet. A part in braces is filled in.
enum SheetText: String, Sendable, CaseIterable {
    case title
    case skip
    case language
    case show
    case payTo
    case amount
    case timeLeft
    case installed
    case aboutAmount
    case offer
    case payNow
    case close
    case chooseFirst
    case opening
    case scanTitle
    case scanText
    case codeLabel
    case hereTitle
    case waitingTitle
    case waitingText
    case openWallet
    case chooseOther
    case lookAgain
    case paidTitle
    case paidText
    case failedTitle
    case failedText
    case cancelledTitle
    case cancelledText
    case expiredTitle
    case expiredText
    case closingTitle
    case closingText
    case noneTitle
    case noneText
    case missingTitle
    case missingText
    case backTo
    case testMode
}

/// The texts of one language.
struct SheetTexts: Sendable {
    let language: AlipayPlusLanguage

    init(_ language: AlipayPlusLanguage) { self.language = language }

    subscript(_ text: SheetText) -> String { Self.table(language)[text] ?? text.rawValue }

    /// A text with its parts filled in; they are not looked at for parts of their own.
    func callAsFunction(_ text: SheetText, _ parts: [String: String]) -> String {
        self[text].split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, piece in
            guard index > 0, let end = piece.firstIndex(of: "}") else { return String(piece) }
            return (parts[String(piece[..<end])] ?? "") + piece[piece.index(after: end)...]
        }.joined()
    }

    /// What templates look texts up in.
    var model: [String: String] { Dictionary(uniqueKeysWithValues: SheetText.allCases.map { ($0.rawValue, self[$0]) }) }

    static func table(_ language: AlipayPlusLanguage) -> [SheetText: String] {
        switch language {
        case .simplifiedChinese: simplifiedChinese
        case .traditionalChinese: traditionalChinese
        case .english: english
        case .korean: korean
        case .filipino: filipino
        case .malay: malay
        case .indonesian: indonesian
        case .thai: thai
        }
    }

    /// A language's own name for itself.
    static func name(_ language: AlipayPlusLanguage) -> String {
        switch language {
        case .simplifiedChinese: "简体中文"
        case .traditionalChinese: "繁體中文"
        case .english: "English"
        case .korean: "한국어"
        case .filipino: "Filipino"
        case .malay: "Bahasa Melayu"
        case .indonesian: "Bahasa Indonesia"
        case .thai: "ไทย"
        }
    }
}
