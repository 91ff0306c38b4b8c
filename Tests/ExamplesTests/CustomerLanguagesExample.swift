import CustomerLanguages
import Testing

struct CustomerLanguagesExample {
    // Example
    /// The language for a device whose owner would read French, or else Cantonese.
    func language() -> CustomerLanguage { CustomerLanguage(preferred: ["fr-CA", "yue-HK", "en"]) }
    // End

    @Test func example() { #expect(language() == .traditionalChinese) }
}
