/// A language of the wallet's pages.
enum WalletLanguage: String, Codable, Sendable, CaseIterable {
    case english = "en"
    /// Chinese in simplified characters.
    case chinese = "zh-Hans"

    /// Its own name for itself.
    var name: String {
        switch self {
        case .english: "English"
        case .chinese: "简体中文"
        }
    }
}
