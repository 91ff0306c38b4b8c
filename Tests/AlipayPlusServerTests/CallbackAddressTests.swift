import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import Testing

@testable import AlipayPlusServer

/// Where an acquirer is told, and people are sent back to.
struct CallbackAddressTests {
    private func addresses(_ registered: [String]?, mode: ServerMode = .production) throws -> CallbackAddresses {
        CallbackAddresses(
            Acquirer(
                clientID: "A", id: try .init("1022188000000001"), name: "A", keys: [], notifyURL: "https://acquirer.example/notify",
                addresses: registered, settlementCurrency: .sgd, agreementID: "AG", merchants: []),
            try AddressPolicy(mode: mode))
    }

    @Test(arguments: [
        ("https://acquirer.example/other", true), ("https://shop.example/a?b=c", true), ("https://SHOP.example/a", true),
        ("https://shop.example:8443/a", false), ("https://shop.example.evil.example/", false), ("https://evil.example/x", false),
        ("http://shop.example/a", false), ("https://10.0.0.1/", false), ("https://shop.example@evil.example/", false),
    ])
    func webAddressesLieAtARegisteredOrigin(_ url: String, isTaken: Bool) throws {
        let addresses = try addresses(["https://shop.example", "teashop:"])
        #expect((addresses.problem(with: url) == nil) == isTaken, "\(addresses.problem(with: url) ?? "taken")")
        #expect((addresses.problem(returning: url) == nil) == isTaken)
    }

    @Test(arguments: [
        ("teashop://paid?order=1", true), ("TeaShop:paid", true), ("coffee://paid", false), ("javascript://x%0aalert(1)", false),
        ("data:text/html,x", false), ("intent://x", false), ("file:///etc/passwd", false), ("paid", false), ("//shop.example/", false),
        (" teashop:x", false),
    ])
    func peopleReturnToARegisteredScheme(_ url: String, isTaken: Bool) throws {
        let addresses = try addresses(["https://shop.example", "teashop:"])
        #expect((addresses.problem(returning: url) == nil) == isTaken)
        #expect(addresses.problem(with: url) != nil, "nobody connects to a scheme")
    }

    @Test func withoutAListOnlyTheNotifyAddressIsRegistered() throws {
        let addresses = try addresses(nil)
        #expect(addresses.problem(returning: "https://acquirer.example/return") == nil)
        #expect(addresses.problem(returning: "https://shop.example/") != nil && addresses.problem(returning: "teashop:x") != nil)
    }

    @Test(arguments: [
        ("https://shop.example", true), ("https://shop.example:8443", true), ("teashop:", true), ("https://shop.example/", false),
        ("teashop", false), ("teashop://", false), ("javascript:", false), ("intent:", false), ("data:", false), ("", false),
    ])
    func onlyOriginsAndSchemesAreRegistered(_ text: String, isTaken: Bool) {
        #expect(CallbackAddresses.isRegistrable(text) == isTaken)
    }

    @Test func anAddressThatIsNotRegisteredIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            for (number, url) in ["https://evil.example/x", "javascript://x%0aalert(1)", "coffee://paid"].enumerated() {
                var redirected = gateway.payRequest("p-\(number)")
                redirected.paymentRedirectUrl = url
                let refused = try await gateway.acquirer(redirected).result
                #expect(refused.resultCode == "PARAM_ILLEGAL" && refused.resultMessage?.contains("paymentRedirectUrl") == true)
                var told = gateway.payRequest("p-\(number)")
                told.paymentNotifyUrl = url
                #expect(try await gateway.acquirer(told).result.resultCode == "PARAM_ILLEGAL")
            }
        }
    }
}
