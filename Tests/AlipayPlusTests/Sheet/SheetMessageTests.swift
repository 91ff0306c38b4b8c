import AlipayPlusValues
import Testing

@Suite struct SheetMessageTests {
    @Test(arguments: [
        SheetMessage.shown, .cancelled, .failed("no network"),
        .selected(.init(walletName: "DANA", links: WalletLinks(schemeURL: "dana://x"), orderString: "o=1")),
        .selected(.init(walletName: "DANA")),
    ])
    func messageIsReadAsItWasWritten(message: SheetMessage) throws {
        #expect(try SheetMessage(message.text) == message)
    }

    @Test func messagesHaveTheAgreedForm() throws {
        #expect(SheetMessage.shown.text == #"{"event":"show"}"#)
        #expect(try SheetMessage(#"{"event":"error","more":1}"#) == .failed(""))
        #expect(
            try SheetMessage(#"{"walletName":"DANA","links":{"normalUrl":"https://d.example.test"},"event":"select"}"#)
                == .selected(.init(walletName: "DANA", links: WalletLinks(normalURL: "https://d.example.test"))))
    }

    @Test(arguments: [
        "", "show", "[]", #"{"event":"shown"}"#, #"{"event":null}"#, #"{"event":"select"}"#, #"{"event":"select","walletName":""}"#,
        #"{"event":"show","event":"cancel"}"#,
    ])
    func otherMessagesAreRefused(text: String) {
        #expect(throws: AlipayPlusError(code: .sheetMessageMalformed, reason: "")) { try SheetMessage(text) }
    }

    @Test func pageIsToldTheLanguageAndTheInstalledWallets() {
        let items = SheetQuery(language: .thai, installedWallets: ["DANA", "GCASH"]).items
        #expect(items.map { "\($0.name)=\($0.value)" } == ["client=app", "language=th_TH", "installed=DANA,GCASH"])
    }
}
