import Testing

@testable import BillfoldJSON

struct ExactTextTests {
    /// Pairs that `String` takes for equal: composed and decomposed, a sign and the letter that it stands for, marks in another order.
    static let lookalikes = [
        ("caf\u{e9}", "cafe\u{301}"), ("P\u{212A}R", "PKR"), ("\u{2126}", "\u{3a9}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{37e}", ";"),
    ]

    @Test(arguments: lookalikes)
    func whatOnlyLooksAlikeIsNotEqual(left: String, right: String) {
        #expect(left == right, "Unicode calls them equivalent")
        #expect(!ExactText.equal(left, right) && ExactText(left) != ExactText(right))
        #expect(Set([ExactText(left), ExactText(right)]).count == 2)
        #expect(ExactText.precedes(left, right) != ExactText.precedes(right, left))
    }

    @Test func equalBytesAreEqual() {
        let bridged = String(decoding: Array("caf\u{e9} 1234567890 1234567890".utf8), as: UTF8.self)
        #expect(ExactText(bridged) == ExactText("caf\u{e9} 1234567890 1234567890"))
        #expect(ExactText(bridged).hashValue == ExactText("caf\u{e9} 1234567890 1234567890").hashValue)
        let (some, other, nothing): (String?, String?, String?) = ("a", "b", nil)
        #expect(ExactText.equal(some, some) && ExactText.equal(nothing, nothing))
        #expect(!ExactText.equal(some, other) && !ExactText.equal(some, nothing) && !ExactText.equal(nothing, some))
    }
}
