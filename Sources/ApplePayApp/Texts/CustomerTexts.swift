import CustomerLanguages

/// What a customer is told. `{suffix}` stands for the last digits of a card.
enum CustomerText: String, Sendable, CaseIterable {
    // How a checkout ended.
    case paid
    case notPaid
    case beingConfirmed
    case paymentClosed
    case noSheet
    // How adding a card ended.
    case cardReady
    case cardNeedsProof
    case cardActivating
    case cardUnusable
    case cardNotAdded
    case cardUncertain
    case screenClosed
    case walletRefused
    case contactBank
    case deviceCannot
    case tryLater
}

/// The texts of one language.
struct CustomerTexts: Sendable {
    /// The longest text, in characters: four lines of a phone's notice.
    static let longest = 170

    let language: CustomerLanguage

    init(_ language: CustomerLanguage) { self.language = language }

    subscript(_ text: CustomerText) -> String { Self.table(language)[text] ?? text.rawValue }

    /// A text about the card that ends in these digits.
    subscript(_ text: CustomerText, suffix suffix: String) -> String { self[text].replacing("{suffix}", with: suffix) }

    static func table(_ language: CustomerLanguage) -> [CustomerText: String] {
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
}
