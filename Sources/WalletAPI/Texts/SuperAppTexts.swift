public import CustomerLanguages

/// The texts of one language: for a super app's consent page, its question before a jump, its scanner and its payments.
///
/// They were written for this project and not read by a native speaker of each language; an app may have better ones.
public struct SuperAppTexts: Sendable, Hashable {
    /// The language of the texts.
    public let language: CustomerLanguage

    /// Chooses a language.
    public init(_ language: CustomerLanguage) { self.language = language }

    /// A text with its parts unfilled.
    public subscript(_ text: SuperAppText) -> String { table[text] ?? text.rawValue }

    /// A text with its parts filled in, by their names without braces. What is filled in is not looked at for parts of its own, and is cut
    /// after 64 characters: a mini program chooses its name.
    public func callAsFunction(_ text: SuperAppText, _ parts: [String: String]) -> String {
        self[text].split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, piece in
            guard index > 0, let end = piece.firstIndex(of: "}") else { return String(piece) }
            return String((parts[String(piece[..<end])] ?? "").prefix(64)) + piece[piece.index(after: end)...]
        }.joined()
    }

    /// The title of a consent page.
    public func title(of question: ConsentQuestion) -> String { self(.consentTitle, ["app": question.name]) }

    /// The lines of a consent page: one for each scope, in the question's order.
    public func lines(of question: ConsentQuestion) -> [String] { question.scopes.map(line(ofScope:)) }

    /// The line of a scope; one that no document names is shown by its name.
    public func line(ofScope scope: String) -> String {
        guard let known = WalletScope(rawValue: scope) else { return self(.scopeOther, ["scope": scope]) }
        return self[SuperAppText(known)]
    }

    /// The question before a jump.
    public func title(of prompt: DeepLinkPrompt) -> String {
        // The destination is `host pay.example.com` or `scheme wallet`.
        let place = prompt.destination.split(separator: " ").last.map(String.init) ?? prompt.destination
        return self(.linkTitle, ["app": prompt.appName, "place": place])
    }

    private var table: [SuperAppText: String] {
        switch language {
        case .simplifiedChinese: Self.simplifiedChinese
        case .traditionalChinese: Self.traditionalChinese
        case .english: Self.english
        case .korean: Self.korean
        case .filipino: Self.filipino
        case .malay: Self.malay
        case .indonesian: Self.indonesian
        case .thai: Self.thai
        }
    }
}
