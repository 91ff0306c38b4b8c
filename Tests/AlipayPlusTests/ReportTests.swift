import AlipayPlus
import BillfoldMoney
import Testing

@Suite struct ReportTests {
    private static let refused = AlipayPlusError(code: .malformedReport, reason: "")

    static func row(_ number: Int, isRefund: Bool = false, at time: String = "2026-03-01T23:59:59+08:00", fee: Int64 = 7) throws
        -> ReportTransaction
    {
        ReportTransaction(
            transactionTime: try AlipayPlusTime(time), isRefund: isRefund, transactionId: "T\(number)", transactionRequestId: "R\(number)",
            paymentId: "P\(number)", referenceOrderId: "a \"quoted\", order\n\(number)", counterParticipantId: "W\(number % 3)",
            transactionAmount: Amount(minorUnits: 1_500 + Int64(number), currency: .krw),
            settlementAmount: Amount(minorUnits: 150 + Int64(number), currency: .sgd),
            fee: Amount(minorUnits: isRefund ? -fee : fee, currency: .sgd))
    }

    static func report(_ transactions: [ReportTransaction]) throws -> ClearingReport {
        ClearingReport(
            participantId: "A1112", settlementCurrency: "SGD", clearingBatchId: "C20260301", participantAgreementId: "G1",
            cycle: try ClearingCycle(day: "20260301"), transactions: transactions)
    }

    static func sound() throws -> ClearingReport {
        try report([row(1), row(2, at: "2026-03-01T00:00:00+08:00"), row(3), row(4, isRefund: true)])
    }

    static func files(_ report: ClearingReport) throws -> [(name: String, bytes: [UInt8])] {
        try report.files().map { ($0.name.description, $0.bytes) }
    }

    static func settlement(net: Int64, count: Int = 4) throws -> (name: String, bytes: [UInt8]) {
        let name = try ReportFileName(
            .settlement, participantId: "A1112", settlementCurrency: "SGD", batchId: "S1", participantAgreementId: "G1", sequence: 12)
        let report = try SettlementReport(
            name: name, valueDate: "20260302",
            batches: [
                .init(clearingBatchId: "C20260301", clearingDate: "20260301", totalCount: count, netTotal: net),
                .init(clearingBatchId: "C20260228", clearingDate: "20260228", totalCount: 1, netTotal: 5),
            ])
        return (name.description, report.bytes())
    }

    @Test func fileNamesAndFoldersAreTheDocumentedOnes() throws {
        let name = try ReportFileName("transactionItems_A1112_SGD_C1_G1_007.csv")
        #expect(name.sequence == 7)
        #expect(
            name.path(on: "20260302", isSandbox: false)
                == "/v1/settlements/clearing/A1112/20260302/transactionItems_A1112_SGD_C1_G1_007.csv")
        let settlement = try ReportFileName("settlement_A1112_SGD_S1_G1_000.csv")
        #expect(settlement.path(on: "20260302", isSandbox: true) == "/sandbox/settlements/settlement/A1112/20260302/\(settlement)")
    }

    @Test(arguments: [
        "transactionItems_A1112_SGD_C1_G1_7.csv", "other_A_SGD_C_G_000.csv", "summary_A_sgd_C_G_000.csv", "summary_A_SGD_C_G_000.txt",
        "summary__SGD_C_G_000.csv", "summary_A_SGD_C_G_H_000.csv", "summary_A_SGD_../C_G_000.csv", "summary_A_SGD_C_G_+07.csv", "",
    ])
    func otherNameIsRefused(name: String) { #expect(throws: Self.refused) { try ReportFileName(name) } }

    @Test func cycleIsADayInUTCPlus8() throws {
        let cycle = try ClearingCycle(day: "20260301")
        #expect(cycle == ClearingCycle(of: try AlipayPlusTime("2026-02-28T16:00:00Z")))
        #expect(cycle.contains(try AlipayPlusTime("2026-03-01T15:59:59.999Z")))
        #expect(!cycle.contains(try AlipayPlusTime("2026-03-01T16:00:00Z")))
        #expect(cycle.filesReady.description == "2026-03-02T08:00:00+08:00")
        #expect(cycle.filesKeptUntil.description == "2026-03-09T08:00:00+08:00")
        #expect(throws: Self.refused) { try ClearingCycle(day: "2026-03-01") }
    }

    @Test func totalsAreOfTheSettlementCurrency() throws {
        let totals = try ReportTotals(of: Self.sound().transactions, in: .sgd)
        #expect([totals.totalCount, totals.paymentCount, totals.refundCount] == [4, 3, 1])
        #expect(totals.paymentTotal.minorUnits == 456)
        #expect(totals.refundTotal.minorUnits == 154)
        #expect(totals.feeTotal.minorUnits == 14)
        #expect(totals.netTotal.minorUnits == 456 - 154 - 14)
        #expect(throws: Self.refused) { try ReportTotals(of: Self.sound().transactions, in: .usd) }
    }

    @Test func detailFileIsReadBack() throws {
        let report = try Self.sound()
        let detail = try #require(try report.files().first)
        let (read, stated) = try ClearingReport.read(detail.name, detail.bytes)
        #expect(read == report)
        #expect(stated == ["4", "3", "456", "1", "154", "14", "288"])
    }

    @Test func soundFilesShowNoDifference() throws {
        let report = try Self.sound()
        let files = try Self.files(report) + [Self.settlement(net: 288)]
        #expect(ReportChecker.differences(in: files, books: report.transactions).isEmpty)
        let empty = try Self.files(Self.report([]))
        #expect(empty.count == 3)
        #expect(ReportChecker.differences(in: empty, books: []).isEmpty)
    }

    private func altered(_ from: String, _ to: String, in kind: ReportKind) throws -> [ReportDifference] {
        let files = try Self.files(Self.sound()) + [Self.settlement(net: 288)]
        let changed = files.map { file in
            guard file.name.hasPrefix(kind.rawValue) else { return file }
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(text.contains(from))
            return (file.name, Array(text.replacing(from, with: to, maxReplacements: 1).utf8))
        }
        return ReportChecker.differences(in: changed, books: try Self.sound().transactions)
    }

    @Test func oneCentInOneRowIsNamed() throws {
        let found = try altered(",SGD,151,7,144\n", ",SGD,152,7,145\n", in: .detail)
        let row = try #require(found.first { $0.kind == .alteredRow && $0.field == "settlementAmount" })
        #expect(row.subject == "T1")
        #expect(row.expected == "151")
        #expect(row.found == "152")
        let total = try #require(found.first { $0.kind == .total && $0.field == "netTotal" })
        #expect(total.expected == "289")
        #expect(total.found == "288")
        #expect(found.contains { $0.kind == .summaryLine && $0.subject == "W1" && $0.field == "netTotal" })
        #expect(found.contains { $0.kind == .settlementLine && $0.field == "netTotal" && $0.found == "288" })
        #expect(row.description.contains("expected 151, found 152"))
    }

    @Test func netThatItsRowDoesNotComeToIsNamed() throws {
        let found = try altered(",151,7,144\n", ",151,7,145\n", in: .detail)
        #expect(found.map(\.kind) == [.net])
        #expect(found.first?.expected == "144")
    }

    @Test(arguments: [
        ("4,3,456,1,154,14,288", "4,3,456,1,154,15,288", ReportKind.detail, ReportDifference.Kind.total),
        ("W1,", "W9,", .summary, .summaryLine), ("T2,PAYMENT,SGD,7", "T2,PAYMENT,SGD,8", .fee, .feeLine),
        ("C20260301,20260301,4,288", "C20260301,20260301,4,289", .settlement, .settlementLine),
        ("A1112,SGD,C2", "A1113,SGD,C2", .detail, .otherFile),
        ("2026-03-01T00:00:00+08:00", "2026-02-28T23:59:59+08:00", .detail, .outsideCycle), ("T2,R2", "T1,R2", .detail, .duplicateRow),
        ("T2,R2", "T7,R2", .detail, .missingRow), ("T2,R2", "T7,R2", .detail, .extraRow), ("KRW,1502", "KRW,1503", .detail, .alteredRow),
        ("SGD,152", "USD,152", .detail, .currency), ("totalCount", "count", .detail, .unreadable), ("feeAmount", "fee", .fee, .unreadable),
        ("PAYMENT", "GIFT", .detail, .unreadable), ("152,", "1 52,", .detail, .unreadable), ("\"a", "a\"", .detail, .unreadable),
        ("valueDate", "date", .settlement, .unreadable), ("KRW,1502", "KRW,-1502", .detail, .unreadable),
    ])
    func oneAlterationIsFound(from: String, to: String, kind: ReportKind, difference: ReportDifference.Kind) throws {
        #expect(try altered(from, to, in: kind).contains { $0.kind == difference })
    }

    @Test func fileThatIsNotThereIsNamed() throws {
        let files = try Self.files(Self.sound())
        #expect(ReportChecker.differences(in: Array(files.dropLast())).map(\.kind) == [.fileMissing])
        #expect(ReportChecker.differences(in: Array(files.dropFirst())).map(\.kind) == [.fileMissing, .fileMissing])
        #expect(ReportChecker.differences(in: [("rubbish.csv", [])]).map(\.kind) == [.unreadable])
        #expect(
            ReportChecker.differences(in: [], books: try Self.sound().transactions).map(\.kind) == Array(repeating: .missingRow, count: 4))
    }

    @Test func cancelledPaymentInTheReportIsExtra() throws {
        let report = try Self.sound()
        let found = ReportChecker.differences(in: try Self.files(report), books: Array(report.transactions.dropLast()))
        #expect(found.map(\.kind) == [.extraRow])
        #expect(found.first?.subject == "T4")
    }
}
