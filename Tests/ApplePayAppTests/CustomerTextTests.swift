import Testing

@testable import ApplePayApp

/// What customers read, in the eight languages.
struct CustomerTextTests {
    @Test(arguments: CustomerLanguage.allCases) func everyLanguageHasEveryText(language: CustomerLanguage) throws {
        let table = CustomerTexts.table(language)
        #expect(Set(table.keys) == Set(CustomerText.allCases))
        for (text, sentence) in table {
            let english = try #require(CustomerTexts.english[text])
            #expect(!sentence.isEmpty)
            #expect(sentence.contains("{suffix}") == english.contains("{suffix}"), "\(text)")
            #expect(sentence.count(where: { $0 == "{" }) == english.count(where: { $0 == "{" }), "\(text)")
            #expect(language == .english || sentence != english, "\(text) is English")
        }
    }

    @Test(arguments: CustomerLanguage.allCases) func noTextIsLongerThanANotice(language: CustomerLanguage) {
        for (text, sentence) in CustomerTexts.table(language) {
            #expect(sentence.count <= CustomerTexts.longest, "\(text) has \(sentence.count) characters")
        }
    }

    @Test(arguments: CustomerLanguage.allCases) func noTwoTextsAreTheSame(language: CustomerLanguage) {
        #expect(Set(CustomerTexts.table(language).values).count == CustomerText.allCases.count)
    }

    @Test func anUndecidedPaymentReadsAsNoFailure() {
        #expect(CheckoutOutcome.undecided(nil).customerText(in: .english).contains("being confirmed"))
        for language in CustomerLanguage.allCases {
            let outcomes: [CheckoutOutcome] = [
                .succeeded(CheckoutPayment(id: "p", state: "succeeded")), .failed(code: "x", reason: "y"), .undecided(nil), .cancelled,
                .notPresented,
            ]
            #expect(Set(outcomes.map { $0.customerText(in: language) }).count == outcomes.count)
        }
    }

    @Test func theCardsDigitsAreInTheSentence() {
        let pass = AddedPass(
            device: .thisDevice, activation: .activating, serialNumber: "s", primaryAccountIdentifier: "a", deviceAccountIdentifier: "d",
            suffix: "4242", isVisible: true)
        for language in CustomerLanguage.allCases {
            for outcome in [AddPassOutcome.added(pass), .pendingActivation(pass)] {
                let text = outcome.customerText(in: language)
                #expect(text.contains("4242") && !text.contains("{"))
            }
        }
    }
}
