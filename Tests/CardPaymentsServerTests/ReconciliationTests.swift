import ApplePay
import BillfoldArchive
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import UnionPay

@Suite struct ReconciliationTests {
    private func record(_ message: UnionPayFields, amount: Int64? = nil, fee: Int64 = 20) throws -> DetailRecord {
        let cny = try Currency("CNY")
        var record = DetailRecord()
        record[.merchantID] = message["merId"] ?? ""
        record[.orderID] = message["orderId"] ?? ""
        record[.queryID] = AcquirerStub.queryID(message)
        record[.transactionTime] = String((message["txnTime"] ?? "").dropFirst(4))
        record[.transactionType] = message["txnType"] ?? ""
        try record.set(amount: Amount(minorUnits: amount ?? Int64(message["txnAmt"] ?? "") ?? 0, currency: cny))
        try record.set(fee: Amount(minorUnits: fee, currency: cny))
        return record
    }

    private func file(_ records: [DetailRecord], adjustments: [AdjustmentRecord] = []) throws -> [UInt8] {
        let archive = ZipArchive(entries: [
            .init(name: "INN26112188ZM_777290058167151", bytes: try DetailRecord.write(records)),
            .init(name: "INN26112188ZME_777290058167151", bytes: try AdjustmentRecord.write(adjustments)),
        ])
        return try ZlibStream.compressed(archive.packed())
    }

    private func reconcile(_ shop: Shop, _ day: String = "1121") async throws -> Shop.Answer {
        try await shop.send(.post, "/v1/reconciliations", Array(#"{"settleDate":"\#(day)"}"#.utf8), bearer: Shop.apiKey)
    }

    private func classes(_ answer: Shop.Answer) -> [String: Int64] {
        var result: [String: Int64] = [:]
        for member in answer.json["classes"]?.object?.members ?? [] where member.value.integer != 0 {
            result[member.key] = member.value.integer
        }
        return result
    }

    @Test func everyClassIsTold() async throws {
        try await Shop.open(sheetWait: .zero, feeRate: "0.006") { shop in
            // Fees by contract: 0.6 % of 33.00 is 0.20.
            for reference in ["match", "amount", "fee", "ours"] {
                _ = try await shop.pay(shop.place(reference: reference))
                #expect(try await shop.notify(about: .consume).status == 200)
            }
            let deducts = shop.acquirer.received(.consume)
            var stranger = deducts[0]
            stranger["orderId"] = "STRANGER00000001"
            let records = try [
                record(deducts[0]), record(deducts[1], amount: 3200), record(deducts[2], fee: 33), record(stranger),
            ]
            let bytes = try file(records)
            shop.acquirer.script { $0.file = bytes }
            let answer = try await reconcile(shop)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(classes(answer) == ["matched": 1, "amount-differs": 1, "fee-differs": 1, "ours-only": 1, "theirs-only": 1])
            // Fees are booked once, however often the file is read.
            #expect(classes(try await reconcile(shop)).count == 5)
            #expect(try await shop.balance(.acquirerFees) == 53)
        }
    }

    @Test func fileSettlesAPaymentThatNobodyCouldTell() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = ["05"]
            }
            let payment = try await shop.pay(shop.place()).paymentID
            let bytes = try file([record(shop.acquirer.received(.consume)[0])])
            shop.acquirer.script { $0.file = bytes }
            #expect(classes(try await reconcile(shop)) == ["matched": 1])
            #expect(try await shop.payment(payment).json["state"]?.string == "succeeded")
        }
    }

    @Test func fileThatIsNotThereYetIsSaidSo() async throws {
        try await Shop.open { shop in
            let answer = try await reconcile(shop)
            #expect(answer.status == 409)
            #expect(answer.errorCode == "file-missing")
        }
    }

    @Test(arguments: [[1, 2, 3], []] as [[UInt8]])
    func fileThatCannotBeReadIsRefused(_ bytes: [UInt8]) async throws {
        try await Shop.open { shop in
            shop.acquirer.script { $0.file = bytes }
            let answer = try await reconcile(shop)
            #expect(answer.errorCode == "acquirer-unavailable")
        }
    }

    @Test func booksBalanceAndListTheDaysPayments() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            #expect(try await shop.notify(about: .consume).status == 200)
            let answer = try await shop.send(.get, "/v1/books?settleDate=1121", bearer: Shop.apiKey)
            #expect(answer.json["balanced"]?.bool == true)
            #expect(answer.json["payments"]?.array?.count == 1)
            let sales = answer.json["accounts"]?.array?.first { $0.object?["account"]?.string == "sales" }
            #expect(sales?.object?["balance"]?.string == "-33.00")
            #expect(try await shop.send(.get, "/v1/books?settleDate=1122", bearer: Shop.apiKey).json["payments"]?.array?.isEmpty == true)
            #expect(try await shop.send(.get, "/v1/books?settleDate=1340", bearer: Shop.apiKey).status == 400)
        }
    }

    /// Page after page, every payment of the books comes once, in the order of their beginning, and the trial balance with the first.
    @Test(arguments: ["settleDate=1121&", ""])
    func booksArePagedByCursor(selection: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            var made: [String] = []
            for number in 0..<5 {
                made.append(try await shop.pay(shop.place(reference: "A-\(number)"), key: "pay-\(number)").paymentID)
                #expect(try await shop.notify(about: .consume).status == 200)
                shop.clock.advance(by: .seconds(1))
            }
            var (listed, sizes, cursor) = ([String](), [Int](), "")
            repeat {
                let page = try await shop.send(.get, "/v1/books?\(selection)limit=2\(cursor)", bearer: Shop.apiKey)
                #expect((page.json["balanced"]?.bool == true) == cursor.isEmpty)
                #expect((page.json["accounts"] != nil) == cursor.isEmpty)
                let payments = page.json["payments"]?.array ?? []
                listed += payments.compactMap { $0.object?["id"]?.string }
                sizes.append(payments.count)
                cursor = page.json["next"]?.string.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(listed == made)
            #expect(sizes == [2, 2, 1])
            shop.clock.advance(by: .seconds(86_400 - 3))
            let left = try await shop.send(.get, "/v1/books?\(selection)", bearer: Shop.apiKey).json["payments"]?.array
            #expect(left?.compactMap { $0.object?["id"]?.string } == (selection.isEmpty ? Array(made.suffix(3)) : made))
        }
    }

    @Test(arguments: ["limit=0", "limit=1001", "limit=+2", "limit=", "cursor=", "cursor=00000000000000000000000000000000", "page=2"])
    func booksRefuseAnotherPage(query: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let answer = try await shop.send(.get, "/v1/books?\(query)", bearer: Shop.apiKey)
            #expect(answer.status == 400)
        }
    }

    private func reversed(_ shop: Shop, notified: Bool = false) async throws -> String {
        shop.acquirer.script { $0.queryCodes = ["05"] }
        let payment = try await shop.pay(shop.place()).paymentID
        #expect(try await shop.cancel(payment).json["kind"]?.string == "reversal")
        if notified { #expect(try await shop.notify(about: .consume).status == 200) }
        try await shop.pass(.seconds(2))
        #expect(try await shop.payment(payment).json["state"]?.string == "reversed")
        return payment
    }

    @Test func reversedPaymentThatSettledAllTheSameCallsAPerson() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await reversed(shop)
            let bytes = try file([record(shop.acquirer.received(.consume)[0])])
            shop.acquirer.script { $0.file = bytes }
            let answer = try await reconcile(shop)
            #expect(classes(answer) == ["reversed-but-settled": 1])
            #expect(answer.json["lines"]?.array?.first?.object?["subject"]?.string == payment)
            #expect(try await shop.alarms() == [.reversedButSettled])
        }
    }

    @Test func reversedPaymentIsRightlyAbsentFromTheFile() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await reversed(shop, notified: true)
            let bytes = try file([])
            shop.acquirer.script { $0.file = bytes }
            #expect(classes(try await reconcile(shop)).isEmpty)
        }
    }

    @Test func undecidedPaymentFiledWithAnotherAmountCallsAPerson() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let payment = try await shop.pay(shop.place()).paymentID
            let bytes = try file([record(shop.acquirer.received(.consume)[0], amount: 3200)])
            shop.acquirer.script { $0.file = bytes }
            let answer = try await reconcile(shop)
            #expect(classes(answer) == ["amount-differs": 1])
            #expect(answer.json["lines"]?.array?.first?.object?["subject"]?.string == payment)
            #expect(try await shop.alarms() == [.amountDiffers])
            // The next run adds nothing.
            _ = try await reconcile(shop)
            #expect(try await shop.alarms() == [.amountDiffers])
        }
    }

    @Test func adjustmentsAreListed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            var adjustment = AdjustmentRecord()
            adjustment[6] = "000000003300"
            let bytes = try file([], adjustments: [adjustment])
            shop.acquirer.script { $0.file = bytes }
            let answer = try await reconcile(shop)
            #expect(classes(answer) == ["adjustment": 1])
            #expect(answer.json["lines"]?.array?.first?.object?["filed"]?.string == "33.00")
        }
    }

    @Test(arguments: [["settleDate": "1120"], ["merId": "777290058167152"]])
    func fileOfAnotherDayOrMerchantIsRefused(change: [String: String]) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            let bytes = try file([record(shop.acquirer.received(.consume)[0])])
            shop.acquirer.script {
                $0.file = bytes
                $0.changesReply = { type, reply in
                    if type == .fileTransfer { for (name, value) in change { reply[name] = value } }
                }
            }
            #expect(try await reconcile(shop).errorCode == "acquirer-unavailable")
        }
    }

    /// Settlement days come without a year, and come again.
    @Test func aDaysBooksEndWithItsYear() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place(reference: "2026"))
            #expect(try await shop.notify(about: .consume).status == 200)
            shop.clock.advance(by: .seconds(200 * 86_400))
            #expect(try await shop.send(.get, "/v1/books?settleDate=1121", bearer: Shop.apiKey).json["payments"]?.array?.count == 1)
            let bytes = try file([record(shop.acquirer.received(.consume)[0])])
            shop.acquirer.script { $0.file = bytes }
            #expect(try await reconcile(shop).json["settlementDate"]?.string == "20261121")
            shop.clock.advance(by: .seconds(160 * 86_400))
            #expect(try await shop.send(.get, "/v1/books?settleDate=1121", bearer: Shop.apiKey).json["payments"]?.array?.isEmpty == true)
            #expect(try await shop.send(.get, "/v1/books?settleDate=20261121", bearer: Shop.apiKey).json["payments"]?.array?.count == 1)
            let empty = try file([])
            shop.acquirer.script { $0.file = empty }
            let answer = try await reconcile(shop)
            #expect(answer.json["settlementDate"]?.string == "20271121")
            #expect(classes(answer).isEmpty)
            // Last year's comparison is still there.
            let merchant = try BillfoldPayments.MerchantID("shop")
            let lines = try await shop.database.read { tx in
                try CardPaymentsRecords.reconciliation(day: "20261121", merchant: merchant, in: tx)
            }
            #expect(lines.map(\.class) == [.matched])
        }
    }
}
