import AlipayPlus
import AlipayPlusValues
import BillfoldPayments
import BillfoldSandbox
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AlipayPlusServer

/// The sandbox's acquirer and wallets with the gateway, page by page.
struct BothSidesTests {
    @Test(arguments: MobileWallet.types) func everyWalletPaysFromTheSheetAndBothSidesKeepTheSameBooks(_ wallet: String) async throws {
        try await BothSides.open { sides async throws in
            let order = try await sides.place("harbour-print")
            let (payment, _) = try await sides.begin(order, "cashier")
            let guest = try await sides.logIn(wallet, 0)
            let place = try #require(try await guest.scan(sides.code(in: payment, for: wallet)))
            #expect(try await guest.outcome(place) == "preparing")
            try await sides.work()
            #expect(try await guest.outcome(place) == "waiting")
            #expect(try await guest.post("\(place)/confirm").status == 303)
            #expect(try await guest.outcome(place) == "paid")
            try await sides.work()
            #expect(try await sides.state(order) == "paid")
            // A second confirmation takes nothing more.
            try await guest.post("\(place)/confirm")
            try await sides.work()
            for part in ["20.00", "100.00"] {
                let answer = try await sides.shop(.post, "/acquirer/v1/orders/\(order)/refunds", #"{"amount":"\#(part)"}"#)
                #expect(answer["error"] == nil, "\(answer)")
            }
            try await sides.compareBooks()
            let books = try await sides.walletBooks(wallet)
            let accounts = books["accounts"] as? [String: [String: String]] ?? [:]
            #expect(Set(accounts.filter { $0.key == "alipay-plus" }.values.compactMap { Double($0["amount"] ?? "1") }) == [0])
        }
    }

    @Test func whoHasTooLittleKeepsItAndAnotherWalletPays() async throws {
        try await BothSides.open { sides async throws in
            let order = try await sides.place("harbour-print")
            let (payment, _) = try await sides.begin(order, "cashier")
            let poor = try await sides.logIn("GCASH", 1)
            let first = try #require(try await poor.scan(sides.code(in: payment, for: "GCASH")))
            try await sides.work()
            let refused = try await poor.post("\(first)/confirm")
            #expect(refused.status == 409 && refused.page.contains("does not reach"))
            #expect(try await poor.outcome(first) == "waiting")
            let rich = try await sides.logIn("TNG", 0)
            let second = try #require(try await rich.scan(sides.code(in: payment, for: "TNG")))
            try await sides.pass(.seconds(10), step: .seconds(2))
            #expect(try await poor.outcome(first) == "cancelled")
            try await rich.post("\(second)/confirm")
            try await sides.work()
            #expect(try await sides.state(order) == "paid")
            try await sides.compareBooks()
        }
    }

    @Test func whoDeclinesIsToldOfAndPaysNothing() async throws {
        try await BothSides.open { sides async throws in
            let order = try await sides.place("kaya-box")
            let (payment, _) = try await sides.begin(order, "cashier")
            let guest = try await sides.logIn("DANA", 0)
            let place = try #require(try await guest.scan(sides.code(in: payment, for: "DANA")))
            try await sides.work()
            try await guest.post("\(place)/decline")
            try await sides.work()
            #expect(try await guest.outcome(place) == "refused")
            #expect(try await sides.state(order) == "failed")
            try await sides.compareBooks()
        }
    }

    @Test func aShownCodePaysOnceAndAForeignOneNever() async throws {
        try await BothSides.open { sides async throws in
            let guest = try await sides.logIn("KAKAOPAY", 0)
            let code = try #require(try await guest.shownCode())
            #expect(code.count == 24)
            let order = try await sides.place("kaya-box")
            try await sides.begin(order, "paymentCode", code: code)
            #expect(try await sides.state(order) == "paid")
            let again = try await sides.place("kaya-box")
            #expect(try await sides.begin(again, "paymentCode", code: code).refusal == "EXPIRED_CODE")
            let poor = try await sides.logIn("KAKAOPAY", 1)
            let third = try await sides.place("kaya-box")
            let short = try #require(try await poor.shownCode())
            try await sides.begin(third, "paymentCode", code: short)
            #expect(try await sides.state(third) == "failed")
            try await sides.work()
            try await sides.compareBooks()
        }
    }

    @Test func anOrderCodeThatATillShowsIsScannedAndPaid() async throws {
        try await BothSides.open { sides async throws in
            let order = try await sides.place("night-tea")
            let (payment, _) = try await sides.begin(order, "orderCode")
            let code = try #require(payment?["orderCode"] as? String)
            let guest = try await sides.logIn("ALIPAY_HK", 0)
            let place = try #require(try await guest.scan(code))
            try await sides.work()
            try await guest.post("\(place)/confirm")
            try await sides.work()
            #expect(try await sides.state(order) == "paid")
            #expect(try await guest.scan("https://nobody.example/28101004") == nil)
            try await sides.compareBooks()
        }
    }

    @Test func aCancelGivesBackWhateverWasTaken() async throws {
        try await BothSides.open { sides async throws in
            let guest = try await sides.logIn("TRUEMONEY", 0)
            let before = try await guest.get("").page
            let order = try await sides.place("kaya-box")
            let code = try #require(try await guest.shownCode())
            try await sides.begin(order, "paymentCode", code: code)
            #expect(try await sides.state(order) == "paid")
            let cancelled = try await sides.shop(.post, "/acquirer/v1/orders/\(order)/cancel", "{}")
            #expect(cancelled["state"] as? String == "cancelled")
            try await sides.pass(.seconds(10), step: .seconds(2))
            let balance = /data-balance>([^<]*)</
            #expect(try before.firstMatch(of: balance)?.1 == (await guest.get("").page).firstMatch(of: balance)?.1)
            #expect((try await sides.shop(.get, "/acquirer/v1/books")["entries"] as? [Any])?.isEmpty == true)
            try await sides.compareBooks()
        }
    }

    @Test(arguments: MobileWalletFault.allCases) func aPaymentEndsRightWhateverGoesWrong(_ fault: MobileWalletFault) async throws {
        try await BothSides.open { sides async throws in
            let guest = try await sides.logIn("GCASH", 0)
            try await guest.post("fault", "fault=\(fault.rawValue)")
            let order = try await sides.place("harbour-print")
            let (payment, _) = try await sides.begin(order, "cashier")
            let place = try #require(try await guest.scan(sides.code(in: payment, for: "GCASH")))
            try await sides.pass(.seconds(12), step: .seconds(2))
            #expect(try await guest.outcome(place) == "waiting")
            try await guest.post("\(place)/confirm")
            try await sides.pass(.seconds(240), step: .seconds(5))
            #expect(try await guest.outcome(place) == "paid")
            #expect(try await sides.state(order) == "paid")
            try await sides.compareBooks()
            // The plan was for one payment.
            #expect(try await !guest.get("").page.contains(" selected>"))
        }
    }

    @Test func theAcquirerChecksFetchedReportsAgainstItsOwnBooks() async throws {
        try await BothSides.open { sides async throws in
            let day = sides.clock.now().alipayPlusTime.day
            let guest = try await sides.logIn("GCASH", 0)
            for offer in ["kaya-box", "night-tea"] {
                let order = try await sides.place(offer)
                let code = try await guest.shownCode()
                try await sides.begin(order, "paymentCode", code: code)
                _ = try await sides.shop(.post, "/acquirer/v1/orders/\(order)/refunds", #"{"amount":"12.34"}"#)
            }
            try await sides.pass(.seconds(34 * 3_600), step: .seconds(3_600))
            let files = try await ReportService(database: sides.database).files(
                of: MerchantID("1022188000000201"), in: ClearingCycle(day: day), at: sides.clock.now(), isSandbox: true
            ).map { (name: $0.name.description, text: String(decoding: $0.bytes, as: UTF8.self)) }
            func check(_ files: [(name: String, text: String)], day: String) async throws -> (agrees: Bool?, kinds: Set<String>) {
                let body: [String: Any] = ["day": day, "files": files.map { ["name": $0.name, "text": $0.text] }]
                let answer = try await sides.shop(
                    .post, "/acquirer/v1/reports", String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self))
                let kinds = (answer["differences"] as? [[String: Any]])?.compactMap { $0["kind"] as? String } ?? []
                return (answer["agrees"] as? Bool, Set(kinds))
            }
            let good = try await check(files, day: day)
            #expect(good.agrees == true && good.kinds.isEmpty, "\(good)")
            let altered = files.map { ($0.name, $0.text.replacing("1234", with: "1235")) }
            #expect(try await check(altered, day: day).kinds.contains("altered-row"))
            #expect(try await check(files.filter { !$0.name.hasPrefix("summary") }, day: day).kinds == ["file-missing"])
            // Another day's books know none of these rows.
            let other = try await check(files, day: ClearingCycle(day: day).next.day)
            #expect(other.agrees == false && other.kinds.contains("extra-row"))
            #expect(try await check(files, day: "today").agrees == nil)
        }
    }

    @Test func pagesAreForWhoeverIsLoggedInAndForeignOriginsAreRefused() async throws {
        try await BothSides.open { sides async throws in
            let stranger = BothSides.Guest(client: sides.outside, root: "/wallets/gcash", cookie: "wallet-gcash=guessed")
            #expect(try await stranger.get("payments/1").page.contains("Log in"))
            #expect(try await stranger.post("code").location == "/wallets/gcash/")
            let guest = try await sides.logIn("GCASH", 0)
            #expect(try await guest.get("payments/none").status == 404)
            let foreign: HTTPFields = [.cookie: guest.cookie, .origin: "https://evil.example"]
            let status = try await sides.outside.execute(uri: "/wallets/gcash/code", method: .post, headers: foreign, body: nil) {
                $0.status.code
            }
            #expect(status == 403)
            let wrong = try await sides.outside.execute(
                uri: "/wallets/gcash/login", method: .post, headers: [:], body: .init(string: "id=ph-luz&pin=000000&next=//evil.example")
            ) { (Int($0.status.code), $0.headers[.setCookie]) }
            #expect(wrong.0 == 403 && wrong.1 == nil)
        }
    }
}
