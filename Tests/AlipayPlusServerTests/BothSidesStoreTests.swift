import BillfoldSandbox
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AlipayPlusServer

/// The sandbox's counter with its static code, and its weekly debit.
struct BothSidesStoreTests {
    private struct Answer: Sendable {
        var status: Int
        var location: String?
        var page: String

        /// The value of an attribute, the first of its name.
        func value(_ name: String) -> String? {
            guard let start = page.range(of: "\(name)=\"") else { return nil }
            return String(page[start.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        }
    }

    private func ask(
        _ client: any TestClientProtocol, _ path: String, _ form: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await client.execute(
            uri: path, method: form == nil ? .get : .post, headers: headers, body: form.map { ByteBuffer(string: $0) }
        ) { Answer(status: Int($0.status.code), location: $0.headers[.location], page: String(buffer: $0.body)) }
    }

    private func below(_ url: String?) throws -> String {
        let whole = try #require(url)
        let path = try #require(whole.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last)
        return "/" + path.drop { $0 != "/" }.dropFirst()
    }

    @Test func theCounterAsksForTheAmountAndAWalletPaysIt() async throws {
        try await BothSides.open { sides async throws in
            let store = try await ask(sides.outside, "/plus-shop/store")
            #expect(store.page.contains("http://127.0.0.1:9500/plus-shop/store/pay") && store.page.contains("<svg"))
            let guest = try await sides.logIn("TNG", 0)
            // The wallet opens what is no order's code as a page.
            let opened = try await guest.post("scan", "code=http%3A%2F%2F127.0.0.1%3A9500%2Fplus-shop%2Fstore%2Fpay")
            #expect(opened.location == "http://127.0.0.1:9500/plus-shop/store/pay")
            for bad in ["", "0", "-1", "1.005", "5000.01", "tea"] {
                #expect(try await ask(sides.outside, "/plus-shop/store/pay", "amount=\(bad)").status == 422, "\(bad)")
            }
            let begun = try await ask(sides.outside, "/plus-shop/store/pay", "amount=12.50", headers: [.userAgent: "Chrome AlipayConnect"])
            let place = try #require(begun.location)
            let waiting = try await ask(sides.outside, place)
            let next = try below(waiting.value("class=\"button button-main\" href"))
            #expect(next.hasPrefix("/entry/"))
            let sheet = try await ask(sides.gateway, next)
            let code = try #require(sheet.page.firstMatch(of: /codeValue=([^"&]+)/)?.1.removingPercentEncoding)
            let payment = try #require(try await guest.scan(code))
            try await sides.work()
            try await guest.post("\(payment)/confirm")
            try await sides.work()
            let number = try #require(place.split(separator: "/").last.map(String.init))
            #expect(try await sides.state(number) == "paid")
            try await sides.compareBooks()
        }
    }

    /// The page on which the customer agrees, then the merchant's again.
    private func agree(_ sides: BothSides, _ guest: BothSides.Guest) async throws {
        #expect(try await ask(sides.outside, "/plus-shop/weekly", "wallet=GCASH").location == "/plus-shop/weekly")
        let asked = try await ask(sides.outside, "/plus-shop/weekly")
        let wallet = try await ask(sides.gateway, below(asked.value("class=\"button button-main\" href")))
        let consent = try below(wallet.location)
        let path = String(consent.dropFirst(guest.root.count + 1))
        #expect(try await guest.post("\(path)/grant").status == 303)
        let page = Answer(status: 200, location: nil, page: try await guest.get(path).page)
        let back = try await ask(sides.gateway, below(page.value("class=\"button button-main\" href")))
        #expect(try await ask(sides.outside, below(back.location)).location == "/plus-shop/weekly")
        try await sides.work()
    }

    @Test func aCustomerWhoAgreedIsDebitedUntilEitherSideEndsIt() async throws {
        try await BothSides.open { sides async throws in
            let guest = try await sides.logIn("GCASH", 0)
            for endsInWallet in [false, true] {
                try await agree(sides, guest)
                let active = try await ask(sides.outside, "/plus-shop/weekly")
                let debit = try #require(active.page.firstMatch(of: /action="(\/plus-shop\/weekly\/[^"]+\/debit)"/)?.1)
                let order = try #require(try await ask(sides.outside, String(debit), "").location?.split(separator: "/").last)
                #expect(try await sides.state(String(order)) == "paid")
                if endsInWallet {
                    let consent = try #require(try await guest.get("").page.firstMatch(of: /consents\/([^"\/]+)\/withdraw/)?.1)
                    try await guest.post("consents/\(consent)/withdraw")
                } else {
                    #expect(try await ask(sides.outside, String(debit).replacing("/debit", with: "/end"), "").status == 303)
                }
                try await sides.work()
                #expect(try await ask(sides.outside, String(debit), "").status == 409)
            }
            #expect(try await ask(sides.outside, "/plus-shop/weekly/return?authCode=x&authState=unknown").status == 404)
            #expect(try await ask(sides.outside, "/plus-shop/weekly", "wallet=NOBODY").status == 409)
            try await sides.compareBooks()
        }
    }

    @Test func withoutAConsentNothingIsDebited() async throws {
        try await BothSides.open { sides async throws in
            let order = try await sides.place("kaya-box")
            #expect(try await sides.begin(order, "automaticDebit").refusal == "nobody agreed to be debited")
        }
    }
}
