import BillfoldJSON
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@testable import WalletServer

/// The file that a wallet is told to take part in Alipay+ by.
struct AlipayPlusWalletFileTests {
    private static let key = try! RSAPrivateKey(bits: 2048).publicKey
    private static let whole = """
        {"clientId":"WALLET_1","pspId":"1022166000000000001","origin":"https://wallet.example","gateway":"https://gateway.example:8443",
        "gatewayKeys":[{"version":2,"publicKey":"\(StrictBase64.encode(key.subjectPublicKeyInfo))"}],"keyVersion":3,
        "minimum":"10","maximum":"5000000"}
        """

    @Test func everyFieldIsRead() throws {
        let file = try AlipayPlusWalletFile(Array(Self.whole.utf8))
        #expect(file.clientID == "WALLET_1" && file.pspID == "1022166000000000001")
        #expect(file.origin == "https://wallet.example" && file.gateway == "https://gateway.example:8443")
        #expect(file.gatewayKeys == [2: Self.key] && file.keyVersion == 3 && file.limits == 10...5_000_000)
    }

    @Test func whatIsLeftOutHasAUsualValue() throws {
        let text = Self.whole.replacing(#","keyVersion":3,"#, with: "").replacing(#""minimum":"10","maximum":"5000000""#, with: "")
        let file = try AlipayPlusWalletFile(Array(text.utf8))
        #expect(file.keyVersion == 1 && file.limits == 1...Int64.max)
    }

    @Test(arguments: [
        ("WALLET_1", "WALLET.1", "clientId"), (#""pspId":"1022166000000000001","#, "", "pspId"),
        ("https://wallet.example", "https://wallet.example/", "origin"), ("https://gateway.example:8443", "gateway.example", "gateway"),
        (#""minimum":"10""#, #""minimum":10"#, "minimum"), (#""maximum":"5000000""#, #""maximum":"9""#, "minimum"),
        (#""publicKey":"M"#, #""publicKey":"N"#, "gatewayKeys"), (#""gatewayKeys""#, #""keys""#, "keys"),
        (#""keyVersion":3"#, #""keyVersion":-1"#, "keyVersion"), (#""version":2"#, #""version":"2""#, "version"),
    ])
    func whatIsWrongIsNamed(old: String, new: String, field: String) {
        let text = Self.whole.replacing(old, with: new)
        #expect(text != Self.whole)
        do {
            _ = try AlipayPlusWalletFile(Array(text.utf8))
            Issue.record("it was taken: \(text)")
        } catch {
            #expect(error.code == .configurationInvalid && error.reason.contains(field), "\(error.reason)")
        }
    }

    @Test func keysAreNotLeftOut() {
        let text = Self.whole.replacing(
            #"[{"version":2,"publicKey":"\#(StrictBase64.encode(Self.key.subjectPublicKeyInfo))"}]"#, with: "[]")
        #expect(throws: WalletError.self) { try AlipayPlusWalletFile(Array(text.utf8)) }
    }
}
