import ApplePayDiagnosis
import BillfoldDiagnosis
import Foundation
import Testing

/// Requests for merchant sessions and the sessions that answer them, as a web shop's server holds them.
@Suite struct WebSessionTests {
    static let end = 1_795_870_800_000

    private func request(_ context: String = "shop.example", initiative: String = "web", name: String = "Shop") -> String {
        #"{"merchantIdentifier":"merchant.example.shop","displayName":"\#(name)","initiative":"\#(initiative)","#
            + #""initiativeContext":"\#(context)"}"#
    }

    private func session(_ domain: String = "shop.example") -> String {
        #"{"epochTimestamp":\#(Self.end - 3_600_000),"expiresAt":\#(Self.end),"merchantSessionIdentifier":"S","nonce":"1","#
            + #""merchantIdentifier":"\#(String(repeating: "F", count: 64))","domainName":"\#(domain)","displayName":"Shop","#
            + #""signature":"3080"}"#
    }

    private func codes(_ texts: String..., minutesLeft: Double = 50) -> [String] {
        let instant = Date(timeIntervalSince1970: Double(Self.end) / 1_000 - minutesLeft * 60)
        return ApplePayDiagnostician(at: instant).examine(
            texts.enumerated().map { Artifact(name: "\($0.offset).json", bytes: Array($0.element.utf8)) }
        ).findings.map(\.code)
    }

    @Test func soundOnesAreQuiet() {
        #expect(codes(request(), session()) == [])
        #expect(codes(request("https://a.example/b", initiative: "messaging")) == [])
        #expect(codes(request(name: String(repeating: "a", count: 64))) == [])
        #expect(codes(request("SHOP.example"), session()) == [])
    }

    @Test(arguments: ["shop.example:443", "shop.example/pay", "https://shop.example", "*.shop.example", "shop example", ""])
    func contextThatIsNoDomainIsNamed(context: String) { #expect(codes(request(context)) == ["apple-pay.session-context"]) }

    @Test func nameThatIsTooLongIsNamed() {
        #expect(codes(request(name: String(repeating: "a", count: 65))) == ["apple-pay.session-display-name"])
    }

    @Test func sessionOfAnotherPageOrTimeIsNamed() {
        #expect(codes(request(), session("www.shop.example")) == ["apple-pay.session-domain"])
        #expect(codes(session(), minutesLeft: -1) == ["apple-pay.session-expired"])
    }
}
