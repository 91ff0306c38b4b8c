import BillfoldMoney
import BillfoldPayments
import CardPaymentsServer
import Foundation
import Testing

/// The file that says which merchants a server serves. What it does not know, it refuses.
@Suite struct MerchantsFileTests {
    private static let merchant = """
        {"id":"tea","applePayIdentifier":"merchant.example.tea","displayName":"茶","domains":["shop.example"],
         "unionPayMerchantID":"777290058110048","keys":"keys/tea"}
        """

    private func read(_ text: String) throws -> MerchantsFile { try MerchantsFile(Array(text.utf8)) }

    @Test func fieldsAreRead() throws {
        let file = try read(
            """
            {"unionPay":{"transaction":"https://a/","query":"https://b/","file":"https://c/","trust":"trust.pem"},
             "merchants":[\(Self.merchant)]}
            """)
        #expect(file.acquirer?.trust == "trust.pem")
        let merchant = try #require(file.merchants.first)
        #expect(merchant.id.description == "tea")
        #expect(merchant.displayName == "茶")
        #expect(merchant.domains == ["shop.example"])
        #expect(merchant.keys == "keys/tea")
        #expect(merchant.domainAssociation == nil)
    }

    @Test(arguments: [
        ("\"keys\"", "\"keyz\""), ("merchant.example.tea", "example.tea"), ("\"merchant.example.tea\"", "\"merchant.\""),
        ("777290058110048", "77729005811004"), ("shop.example", "https://shop.example"), ("shop.example", "Shop.example"),
        ("shop.example", "shop..example"), ("shop.example", "localhost"), ("\"tea\"", "\"t a\""), ("\"茶\"", "\"\""),
        ("\"茶\"", "\"\(String(repeating: "茶", count: 65))\""), ("\"id\":\"tea\",", ""),
        ("\"id\":\"tea\",", "\"id\":\"tea\",\"id\":\"tea\","),
    ])
    func whatIsWrongIsRefused(found: String, put: String) throws {
        let text = "{\"merchants\":[\(Self.merchant.replacingOccurrences(of: found, with: put))]}"
        let error = #expect(throws: CardPaymentsError.self) { try read(text) }
        #expect(error?.code == .configurationInvalid)
    }

    @Test(arguments: ["", "{}", "[]", #"{"merchants":[]}"#, #"{"merchants":[],"more":1}"#])
    func fileWithoutMerchantsIsRefused(text: String) {
        let error = #expect(throws: CardPaymentsError.self) { try read(text) }
        #expect(error?.code == .configurationInvalid)
    }

    @Test func merchantsShareNothingThatNamesThem() throws {
        let other = Self.merchant.replacingOccurrences(of: "tea", with: "coffee").replacingOccurrences(of: "110048", with: "110049")
        let error = #expect(throws: CardPaymentsError.self) { try read("{\"merchants\":[\(Self.merchant),\(other)]}") }
        #expect(error?.reason.contains("share") == true)
        let elsewhere = other.replacingOccurrences(of: "shop.example", with: "coffee.example")
        #expect(try read("{\"merchants\":[\(Self.merchant),\(elsewhere)]}").merchants.count == 2)
    }

    @Test func whatIsSettledAndWhatAnAppHearsIsRead() throws {
        let plain = try #require(try read("{\"merchants\":[\(Self.merchant)]}").merchants.first)
        #expect(plain.settledCurrencies == [.cny] && plain.pendingPolicy == nil && plain.sheetWait == nil)
        let settings = #""settledCurrencies":["CNY","HKD"],"whilePending":{"sheet":"pending","waitSeconds":5}"#
        let text = Self.merchant.replacingOccurrences(of: "\"keys\"", with: "\(settings),\"keys\"")
        let merchant = try #require(try read("{\"merchants\":[\(text)]}").merchants.first)
        #expect(merchant.settledCurrencies == [.cny, .hkd])
        #expect(merchant.pendingPolicy == .tellPending && merchant.sheetWait == .seconds(5))
    }

    @Test(arguments: [
        #""settledCurrencies":[]"#, #""settledCurrencies":["RMB"]"#, #""settledCurrencies":"CNY""#, #""whilePending":{"sheet":"green"}"#,
        #""whilePending":{"waitSeconds":31}"#, #""whilePending":{"waitSeconds":-1}"#, #""whilePending":{"wait":1}"#,
    ])
    func whatCannotBeSettledOrHeardIsRefused(setting: String) {
        let text = Self.merchant.replacingOccurrences(of: "\"keys\"", with: "\(setting),\"keys\"")
        let error = #expect(throws: CardPaymentsError.self) { try read("{\"merchants\":[\(text)]}") }
        #expect(error?.code == .configurationInvalid)
    }

    @Test func longestNameIsTaken() throws {
        let name = String(repeating: "茶", count: 64)
        #expect(try read("{\"merchants\":[\(Self.merchant.replacingOccurrences(of: "茶", with: name))]}").merchants[0].displayName == name)
    }
}
