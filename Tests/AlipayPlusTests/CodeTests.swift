import AlipayPlus
import AlipayPlusValues
import BillfoldTestSupport
import Testing

/// One case of `code-vectors.json`.
struct CodeVector: Decodable, Sendable {
    struct Detail: Decodable, Sendable {
        struct TLV: Decodable, Sendable {
            struct Payload: Decodable, Sendable {
                var PLVS: String
                var CDSD: [String: String]
                var CIRD: [String: String]
            }
            var GPLD: Payload
        }
        var cii: String?
        var bti: String?
        var uin: String?
        var prefix12: String?
        var tlv: TLV?
    }
    var input: String
    var `class`: String
    var detail: Detail?

    struct File: Decodable { var cases: [CodeVector] }
    static var all: [CodeVector] { (try? Vectors.json("alipay-plus-acquirer/code-vectors.json", as: File.self))?.cases ?? [] }
}

@Suite(.enabled(if: SignatureVector.areThere))
struct CodeVectorTests {
    @Test func everyCaseIsThere() { #expect(CodeVector.all.count == 6) }

    @Test(arguments: CodeVector.all) func codeIsRecognised(vector: CodeVector) throws {
        guard vector.class != "none" else {
            #expect(throws: AlipayPlusError(code: .malformedCode, reason: "")) { try ScannedCode(vector.input) }
            return
        }
        let code = try ScannedCode(vector.input)
        #expect(code.kind == vector.class)
        switch code {
        case .paymentCode(let code):
            #expect(code.parts?.issuer == vector.detail?.cii)
            #expect(code.parts?.type == vector.detail?.bti)
            #expect(code.parts?.number == vector.detail?.uin)
        case .orderCode(let code): #expect(code.prefix == vector.detail?.prefix12)
        case .merchantCode(let code):
            let payload = try #require(vector.detail?.tlv?.GPLD)
            #expect(code.version == payload.PLVS)
            #expect([code.platform, code.merchantID] == [payload.CDSD["01"], payload.CDSD["02"]])
            #expect([code.issuer, code.issuerType, code.miniProgramID] == [payload.CIRD["01"], payload.CIRD["02"], payload.CIRD["03"]])
            #expect(try code.text() == vector.input)
        case .entryCode, .emvco: Issue.record("no vector is one")
        }
    }
}

@Suite struct CodeTests {
    let refused = AlipayPlusError(code: .malformedCode, reason: "")

    @Test(arguments: [
        "1234567890123456", "31" + String(repeating: "0", count: 14), "28 8888888888888888", "２８888888888888888888", "",
        "28" + String(repeating: "0", count: 31), "2510010201234567890123a5",
    ])
    func textThatIsNoPaymentCodeIsRefused(text: String) { #expect(throws: refused) { try PaymentCode(text) } }

    @Test func paymentCodeIsMadeOfItsPartsAndShowsNoNumber() throws {
        let code = try PaymentCode(.init(issuer: "281001", type: PaymentCode.shownType, number: "0123456789012345"))
        #expect(code.digits == "281001020123456789012345")
        #expect("\(code)" == "281001…(24 digits)")
        #expect(try PaymentCode(String(repeating: "28", count: 16)).parts == nil)
        #expect(throws: refused) { try PaymentCode(.init(issuer: "28100", type: "02", number: "0123456789012345")) }
    }

    @Test func orderCodeIsMadeAndReadBack() throws {
        let code = try OrderCode(host: "code.example", given: "002", chosen: "0090", payload: "Ab12")
        #expect(code.text == "https://code.example/281002040090Ab12")
        #expect(try OrderCode("HTTPS://CODE.EXAMPLE/281002040090Ab12?x=1").payload == "Ab12")
        #expect([code.given, code.chosen, code.host, code.payload] == ["002", "0090", "code.example", "Ab12"])
    }

    @Test(arguments: [
        "http://code.example/281002040090a", "https://code.example/281002040090", "https://code.example/281002050090a",
        "https://code.example/282002040090a", "https://user@code.example/281002040090a", "https://code.example:443/281002040090a",
        "https://code.example\\evil/281002040090a", "https:///281002040090a", "281002040090a",
    ])
    func addressThatIsNoOrderCodeIsRefused(text: String) { #expect(throws: refused) { try OrderCode(text) } }

    @Test func entryCodeIsOneOnRegisteredDomainsOnly() throws {
        let domains: Set = ["acqp.example"]
        #expect(try EntryCode("https://pay.acqp.example/s/1", domains: domains).host == "pay.acqp.example")
        for text in [
            "https://evilacqp.example/s/1", "https://acqp.example.evil/s/1", "http://acqp.example/s/1", "https://acqp.example@evil/",
        ] {
            #expect(throws: refused, "\(text)") { try EntryCode(text, domains: domains) }
        }
        #expect(try ScannedCode("https://acqp.example/s/1", entryDomains: domains).kind == "entry-code")
        #expect(EntryCode.isWallet(userAgent: "Mozilla AlipayClient/10.1"))
        #expect(!EntryCode.isWallet(userAgent: "Mozilla"))
    }

    @Test func nationalCodeIsRecognisedByItsCheckSum() throws {
        // Made for this test; the check sum by another implementation.
        let text = "00020101021126490014A0000006150001010651000002150000000000000015204000053034585402105802MY5907TEASHOP6002KL63040A73"
        #expect(try ScannedCode(text).kind == "emvco")
        #expect(throws: refused) { try EMVCoCode(String(text.dropLast()) + (text.hasSuffix("B") ? "C" : "B")) }
        #expect(throws: refused) { try EMVCoCode("6304" + text.suffix(4)) }
    }

    @Test(arguments: [
        "https://a.example/MPM/3/", "https://a.example/MPM/2/R1BMRDAwMA==", "https://a.example/MPM/3/R1BMRDAwMA",
        "https://a.example/MPM/3/R1BMRDAwMA==",
        "https://a.example/MPM/3/R1BMRDAwNVBMVlM=",
    ])
    func merchantCodeThatIsCutIsRefused(text: String) { #expect(throws: refused) { try StandardMerchantCode(text) } }

    @Test func merchantCodeTooLongIsNotWritten() {
        let code = StandardMerchantCode(host: "a.example", platform: String(repeating: "P", count: 100), merchantID: "M")
        #expect(throws: refused) { try code.text() }
    }
}
