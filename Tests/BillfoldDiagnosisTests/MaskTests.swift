import BillfoldDiagnosis
import Testing

struct MaskTests {
    @Test(arguments: [
        ("6225000000001234", "622500••••••1234"), ("12345678901234", "123456••••1234"), ("1234567890123", "•••••••••••••"), ("", ""),
        ("6225000000000000123", "622500•••••••••0123"),
    ])
    func cardNumberHidesTheMiddle(number: String, masked: String) { #expect(Mask.cardNumber(number) == masked) }

    @Test(arguments: [
        ("ann@example.com", "a•••@example.com"), ("a@b", "a•••@b"), ("no-at-sign", "‹10 bytes›"), ("@example.com", "‹12 bytes›"),
        ("a@", "‹2 bytes›"), ("a@b@c", "‹5 bytes›"), ("", "‹0 bytes›"),
    ])
    func emailShowsOneCharacterAndTheDomain(address: String, masked: String) { #expect(Mask.email(address) == masked) }

    @Test(arguments: [("+86 138 0013 8034", "•••34"), ("13800138034", "•••34"), ("123456", "‹6 bytes›"), ("call me", "‹7 bytes›")])
    func phoneShowsTwoDigits(number: String, masked: String) { #expect(Mask.phone(number) == masked) }

    @Test(arguments: [("Ann Example", "A••• E•••"), ("张三", "张•••"), ("  ", ""), ("Jean-Luc  P", "J••• P•••")])
    func nameShowsInitials(name: String, masked: String) { #expect(Mask.name(name) == masked) }

    @Test func blobsShowTheirSizeOnly() {
        #expect(Mask.base64("aGVsbG8gd29ybGQ=") == "‹base64, 11 bytes›")
        #expect(Mask.base64("aGVs\nbG8=") == "‹base64, 5 bytes›")
        #expect(Mask.hexadecimal("00 ff 10") == "‹hex, 3 bytes›")
    }

    @Test(arguments: [
        ("card 4111111111111111 refused", "card 411111••••••1111 refused"),
        ("card 4111 1111 1111 1111 refused", "card 411111••••••1111 refused"),
        ("card 4111-1111-1111-1111.", "card 411111••••••1111."),
        ("write to ann@example.com.", "write to a•••@example.com."),
        ("order 4111111111111112 paid", "order 4111111111111112 paid"),
        ("hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "hash ‹hex, 32 bytes›"),
        ("data QmlsbGZvbGQgaXMgYSBwYXltZW50cyBzdGFjayBpbiBTd2lmdA==", "data ‹base64, 37 bytes›"),
        ("33.00 CNY at 2026-01-01", "33.00 CNY at 2026-01-01"), ("plain words stay", "plain words stay"), ("", ""),
        ("中文 4111111111111111 中文", "中文 411111••••••1111 中文"),
        ("1 4111111111111111", "1 411111••••••1111"), ("12 4111 1111 1111 1111 7", "12 411111••••••1111 7"),
    ])
    func freeTextLosesWhatIsSensitive(text: String, masked: String) { #expect(Mask.text(text) == masked) }

    @Test func noDigitOfTheHiddenPartSurvives() {
        for length in 14...19 {
            let number = String("9876501234567890123".prefix(length))
            let masked = Mask.cardNumber(number)
            #expect(masked.filter(\.isNumber).count == 10 && masked.count == length)
        }
    }
}
