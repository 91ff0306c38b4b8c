import BillfoldPayments
import BillfoldServer
import Foundation
import PaymentCrypto
import Testing

@testable import ProvisioningServer

@Suite struct IssuerFileTests {
    private static let text = """
        {"issuer":"bank","programmes":[{"id":"visa-credit","network":"visa","numberPrefixes":["405551"],"displayName":"V",
         "payload":"encryptedFPAN","prefixDigits":8,"decisions":{"testPhase":true}}],
         "keys":{"folder":"keys","module":"/lib/p11.so","token":"issuer","pin":"pin","visa":["405551.1","405551.2"]},
         "decisionKeys":["d-2","d-1"],"bankKey":"bank.key","processor":{"origin":"https://p.example","credential":"p.key"},
         "networks":[{"network":"visa","origin":"https://v.example","credential":"v.key","callerKey":"vc.key"}]}
        """

    @Test func aWholeFileIsRead() throws {
        let file = try IssuerFile(Array(Self.text.utf8))
        #expect(file.issuer.description == "bank")
        #expect(file.programmes.map(\.payload) == [.encryptedFPAN(prefixDigits: 8)])
        #expect(file.programmes[0].encryptionScheme == "EV_ECC_v2")
        #expect(file.policies["visa-credit"]?.isTestPhase == true)
        #expect(file.keyFolder == "keys" && file.token == .init(module: "/lib/p11.so", label: "issuer", pin: "pin"))
        #expect(file.decisionKeys == ["d-2", "d-1"])
        #expect(file.visaKeys == ["405551.1", "405551.2"])
        #expect(file.networks.map(\.callerKey) == ["vc.key"])
    }

    @Test func whoShowsPushesAndHowOftenTheProcessorIsAskedIsOptional() throws {
        let bare = try IssuerFile(Array(Self.text.utf8))
        #expect(bare.pushes == nil && bare.changeInterval == nil)
        let more = Self.text.replacingOccurrences(of: "\"p.key\"}", with: "\"p.key\",\"changesEverySeconds\":30}")
            .replacingOccurrences(
                of: "\"networks\"", with: "\"pushes\":{\"origin\":\"https://s.example\",\"credential\":\"s.key\"},\"networks\"")
        let file = try IssuerFile(Array(more.utf8))
        #expect(file.pushes?.origin == "https://s.example" && file.changeInterval == .seconds(30))
        try file.validate(.production)
        let plain = try IssuerFile(Array(more.replacingOccurrences(of: "https://s", with: "http://s").utf8))
        #expect(throws: ProvisioningError.self) { try plain.validate(.production) }
        for wrong in ["\"changesEverySeconds\":0", "\"changesEverySeconds\":\"30\""] {
            let text = more.replacingOccurrences(of: "\"changesEverySeconds\":30", with: wrong)
            #expect(throws: ProvisioningError.self) { try IssuerFile(Array(text.utf8)) }
        }
    }

    @Test(arguments: ["https://p.example", "https://v.example"])
    func productionReachesEveryPeerOverHTTPS(origin: String) throws {
        try IssuerFile(Array(Self.text.utf8)).validate(.production)
        let plain = try IssuerFile(
            Array(Self.text.replacingOccurrences(of: origin, with: origin.replacingOccurrences(of: "https", with: "http")).utf8))
        try plain.validate(.test)
        let error = #expect(throws: ProvisioningError.self) { try plain.validate(.production) }
        #expect(error?.code == .configurationInvalid)
    }

    @Test(arguments: [
        ("\"issuer\":\"bank\"", "\"isuer\":\"bank\""), ("encryptedFPAN", "number"), ("testPhase", "phase"),
        ("\"prefixDigits\":8", "\"prefixDigits\":9"),
        ("\"visa\":[\"405551.1\",\"405551.2\"]", "\"mastercard\":[\"a\"]"), ("\"decisionKeys\":[\"d-2\",\"d-1\"]", "\"decisionKeys\":[]"),
        ("\"network\":\"visa\",\"origin\"", "\"network\":\"amex\",\"origin\""), ("\"pin\":\"pin\",", ""),
        ("\"folder\":\"keys\",", ""), ("\"d-2\",\"d-1\"", "\"d-1\",\"d-1\""),
        ("\"processor\":{\"origin\":\"https://p.example\",\"credential\":\"p.key\"},", ""),
    ])
    func whatIsWrongIsRefused(part: String, replacement: String) throws {
        let text = Self.text.replacingOccurrences(of: part, with: replacement)
        try #require(text != Self.text)
        let error = #expect(throws: ProvisioningError.self) { try IssuerFile(Array(text.utf8)) }
        #expect(error?.code == .configurationInvalid)
        #expect(error?.reason.hasPrefix("the issuer's file: ") == true)
    }
}
