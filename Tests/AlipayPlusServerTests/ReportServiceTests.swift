import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// A day's reports, made from the ledger.
struct ReportServiceTests {
    private static func id() throws -> MerchantID { try MerchantID(PlusHarness.acquirerID) }

    private static func named(_ files: [ReportService.File]) -> [(name: String, bytes: [UInt8])] {
        files.map { ($0.name.description, $0.bytes) }
    }

    /// A paid, a refunded and a cancelled payment on Saturday, 21 November; then it is Sunday, 09:00.
    private func saturday(_ gateway: PlusHarness) async throws -> ClearingCycle {
        let cycle = ClearingCycle(of: gateway.clock.now().alipayPlusTime)
        try await gateway.paid("p-1", "1999")
        try await gateway.paid("p-2", "5000")
        try await gateway.paid("p-3", "700")
        let refund = RefundRequest(
            paymentRequestId: "p-2", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "1000"))
        #expect(try await gateway.acquirer(refund).result.isSuccess)
        #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-3")).result.isSuccess)
        try await gateway.pass(.seconds(29 * 3_600), step: .seconds(3_600))
        return cycle
    }

    @Test(arguments: StoreEngine.available) func aDaysFilesAgreeWithTheLedger(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let cycle = try await saturday(gateway)
            let service = ReportService(database: gateway.store.database)
            let rows = try await service.transactions(of: Self.id(), in: cycle)
            #expect(rows.map(\.transactionRequestId).sorted() == ["p-1", "p-2", "r-1"])
            let files = try await service.files(of: Self.id(), in: cycle, at: gateway.clock.now(), isSandbox: true)
            #expect(files.map(\.name.kind) == [.detail, .summary, .fee])
            #expect(
                files.first?.path
                    == "/sandbox/settlements/clearing/\(PlusHarness.acquirerID)/20261122/"
                    + "transactionItems_\(PlusHarness.acquirerID)_SGD_C20261121_AG-1_000.csv")
            #expect(try await service.differences(in: Self.named(files), of: Self.id(), in: cycle) == [])
            let net = try rows.map { try $0.net().minorUnits }.reduce(0, +)
            #expect(try await gateway.balance()["acquirer:\(PlusHarness.acquirerID) SGD"] == Amount(minorUnits: -net, currency: .sgd).text)
        }
    }

    @Test func oneAlteredRowIsFound() async throws {
        try await PlusHarness.open { gateway async throws in
            let cycle = try await saturday(gateway)
            let service = ReportService(database: gateway.store.database)
            var files = Self.named(try await service.files(of: Self.id(), in: cycle, at: gateway.clock.now(), isSandbox: true))
            let text = String(decoding: files[0].bytes, as: UTF8.self)
            #expect(text.contains(",SGD,1999,SGD,1999,16,1983"))
            files[0].bytes = Array(text.replacing(",SGD,1999,SGD,1999,16,1983", with: ",SGD,1999,SGD,1998,16,1982").utf8)
            let found = try await service.differences(in: files, of: Self.id(), in: cycle)
            let payment = try await gateway.payment("p-1").paymentID
            let row = try #require(found.first { $0.kind == .alteredRow && $0.field == "settlementAmount" })
            #expect(row.subject == payment && row.expected == "1999" && row.found == "1998")
        }
    }

    @Test func aSettlementPaysOutTheWeekend() async throws {
        try await PlusHarness.open { gateway async throws in
            let cycle = try await saturday(gateway)
            let service = ReportService(database: gateway.store.database)
            try await gateway.pass(.seconds(24 * 3_600), step: .seconds(3_600))
            let files = try await service.files(of: Self.id(), in: cycle.next, at: gateway.clock.now(), isSandbox: false)
            // The empty Sunday has files too, with counts of zero.
            #expect(files.map(\.name.kind) == [.detail, .summary, .fee, .settlement])
            let settlement = try #require(files.last)
            let read = try SettlementReport(settlement.name, settlement.bytes)
            #expect(read.valueDate == "20261123" && settlement.name.batchId == "S20261123")
            #expect(read.batches.map(\.clearingDate) == ["20261120", "20261121", "20261122"])
            #expect(read.batches.map(\.totalCount) == [0, 3, 0])
            #expect(settlement.path.hasPrefix("/v1/settlements/settlement/\(PlusHarness.acquirerID)/20261123/"))
            #expect(try await service.differences(in: Self.named(files), of: Self.id(), in: cycle.next) == [])
        }
    }

    @Test func aDayEndsAtMidnightInUTCPlus8() async throws {
        try await PlusHarness.open { gateway async throws in
            let cycle = ClearingCycle(of: gateway.clock.now().alipayPlusTime)
            gateway.clock.advance(by: .seconds(20 * 3_600 - 1))
            try await gateway.paid("p-1")
            gateway.clock.advance(by: .seconds(1))
            try await gateway.paid("p-2")
            let service = ReportService(database: gateway.store.database)
            #expect(try await service.transactions(of: Self.id(), in: cycle).map(\.transactionRequestId) == ["p-1"])
            #expect(try await service.transactions(of: Self.id(), in: cycle.next).map(\.transactionRequestId) == ["p-2"])
        }
    }

    @Test func reportsAreNotMadeBeforeTheirTime() async throws {
        try await PlusHarness.open { gateway async throws in
            let service = ReportService(database: gateway.store.database)
            let cycle = ClearingCycle(of: gateway.clock.now().alipayPlusTime)
            for (wait, isReady) in [(Int64(27 * 3_600), false), (Int64(3_600), true)] {
                gateway.clock.advance(by: .seconds(wait))
                do {
                    _ = try await service.files(of: Self.id(), in: cycle, at: gateway.clock.now(), isSandbox: true)
                    #expect(isReady)
                } catch let error as AlipayPlusServerError { #expect(!isReady && error.code == .reportsNotReady) }
            }
            await #expect(throws: AlipayPlusServerError.self) {
                try await service.files(of: MerchantID("1022188000000009"), in: cycle, at: gateway.clock.now(), isSandbox: true)
            }
        }
    }
}
