import Testing
import WalletAPI

/// Codes of `*.alipayplus.com` are taken, and whatever only looks like one is not.
@Suite struct CodeLinkRuleTests {
    private let rule = CodeLinkRule.alipayPlus

    @Test(arguments: [
        "https://qr.alipayplus.com/281002040AbC", "https://a.b.alipayplus.com", "HTTPS://QR.ALIPAYPLUS.COM/281002",
        "https://Qr.AlipayPlus.com/?x=1",
        "https://code-1.alipayplus.com/p#part",
    ])
    func codeBelowTheDomainIsTaken(text: String) { #expect(rule.accepts(text), "\(rule.refusal(of: text) ?? "")") }

    @Test(arguments: [
        // The document's own slip, and the domain itself.
        "https://qr.alipaypus.com/1", "https://alipayplus.com/1",
        // Suffixes and prefixes.
        "https://qr.alipayplus.com.evil.test/", "https://evilalipayplus.com/", "https://qr-alipayplus.com/", "https://alipayplus.com.test/",
        "https://alipayplus.comx/", "https://evil.test/qr.alipayplus.com", "https://evil.test/?qr.alipayplus.com",
        "https://evil.test#qr.alipayplus.com", "https://alipayplus.evil.test/",
        // A user before the host.
        "https://qr.alipayplus.com@evil.test/", "https://evil@qr.alipayplus.com/", "https://qr.alipayplus.com%40evil.test/",
        "https://qr.alipayplus.com\\@evil.test/", "https://evil.test\\.alipayplus.com/",
        // Ports, also https's own.
        "https://qr.alipayplus.com:443/", "https://qr.alipayplus.com:8443/", "https://qr.alipayplus.com:/",
        // Other letters: as they are, as punycode, full width, dotless, and one that becomes ASCII in lower case.
        "https://qr.alipаyplus.com/", "https://xn--qr-alipayplus.com/", "https://xn--80ak6aa92e.alipayplus.com/",
        "https://ｑｒ.alipayplus.com/", "https://qr.alıpayplus.com/", "https://qr.ALİPAYPLUS.COM/", "https://qr。alipayplus.com/",
        "https://qr.alipayplus.com／.evil.test/",
        // Dots and hyphens in odd places, escapes, numbers.
        "https://qr.alipayplus.com./", "https://.alipayplus.com/", "https://qr..alipayplus.com/", "https://-.alipayplus.com/",
        "https://qr%2ealipayplus.com/", "https://2130706433/", "https://[::1]/",
        // Not https.
        "http://qr.alipayplus.com/1", "ftp://qr.alipayplus.com/", "alipayplus://qr", "qr.alipayplus.com/1", "//qr.alipayplus.com/1",
        "https:qr.alipayplus.com", "javascript://qr.alipayplus.com/%0aalert(1)", "",
        // White space and control characters.
        " https://qr.alipayplus.com/", "https://qr.alipayplus.com /", "https://qr.alipayplus.com\t/", "https://qr.alipayplus.com/\r\nx",
        "https://qr.alipayplus.com\u{0}.evil.test/",
    ])
    func lookAlikeIsRefused(text: String) { #expect(!rule.accepts(text), "\(text)") }

    @Test func refusalSaysWhyAndRepeatsNothing() {
        #expect(rule.refusal(of: "https://s3cret.evil.test/") == "the host lies below none of the domains")
        #expect(rule.refusal(of: "https://qr.alipayplus.com:443/") == "the address names a port")
        #expect(rule.refusal(of: "http://qr.alipayplus.com/") == "the address is not https")
        #expect(rule.refusal(of: "https://xn--a.alipayplus.com/") == "the host has a name in other letters")
        #expect(rule.refusal(of: "https://a@qr.alipayplus.com/") == "the address names a user before its host")
    }

    @Test func scannersAnswerIsHeldAgainstIt() {
        #expect(rule.accepts(IAPWalletScannerResult("https://qr.alipayplus.com/1")))
        #expect(!rule.accepts(IAPWalletScannerResult("https://qr.alipaypus.com/1")) && !rule.accepts(IAPWalletScannerResult()))
        #expect(!rule.accepts(IAPWalletScannerResult("https://qr.alipayplus.com/1").failing(.userCancel, "left")))
    }

    @Test func domainsAreReadInAnyCase() {
        let own = CodeLinkRule(domains: ["Wallet.Example"])
        #expect(own.accepts("https://pay.wallet.example/1") && !own.accepts("https://qr.alipayplus.com/1"))
        #expect(!CodeLinkRule(domains: [""]).accepts("https://pay.wallet.example/1"))
        #expect(!CodeLinkRule(domains: []).accepts("https://qr.alipayplus.com/1"))
    }
}
