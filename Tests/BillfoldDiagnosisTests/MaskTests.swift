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

    @Test func noDigitOfTheHiddenPartSurvives() {
        for length in 14...19 {
            let number = String("9876501234567890123".prefix(length))
            let masked = Mask.cardNumber(number)
            #expect(masked.filter(\.isNumber).count == 10 && masked.count == length)
        }
    }
}
