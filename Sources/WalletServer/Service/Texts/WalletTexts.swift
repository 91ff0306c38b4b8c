/// The texts of one language.
struct WalletTexts: Sendable {
    let language: WalletLanguage

    init(_ language: WalletLanguage) { self.language = language }

    subscript(_ text: WalletText) -> String { Self.table(language)[text] ?? text.rawValue }

    /// A text with its parts filled in; they are not looked at for parts of their own.
    func callAsFunction(_ text: WalletText, _ parts: [String: String]) -> String {
        self[text].split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, piece in
            guard index > 0, let end = piece.firstIndex(of: "}") else { return String(piece) }
            return (parts[String(piece[..<end])] ?? "") + piece[piece.index(after: end)...]
        }.joined()
    }

    /// What templates look texts up in.
    var model: [String: String] {
        Dictionary(uniqueKeysWithValues: WalletText.allCases.map { ($0.rawValue, self[$0]) })
    }

    static func table(_ language: WalletLanguage) -> [WalletText: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}
