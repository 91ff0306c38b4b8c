import AlipayPlus
import AlipayPlusValues
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

    /// One change to the files of a day, and the differences that it must be named by.
    struct Alteration: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind = ReportKind.settlement
        var change: @Sendable (String) -> String
        var differences: [ReportDifference.Kind]
        var field: String?
        var expected: String?
        var found: String?
    }

    private static let paidBatch = "A1112,SGD,S1,G1,20260302,C20260301,20260301,4,288\n"
    static let alterations = [
        Alteration(
            testDescription: "a batch's line deleted", change: { $0.replacing(paidBatch, with: "") }, differences: [.missingBatch],
            expected: String(paidBatch.dropLast())),
        Alteration(
            testDescription: "a batch's line doubled", change: { $0 + paidBatch }, differences: [.duplicateBatch],
            found: String(paidBatch.dropLast())),
        Alteration(
            testDescription: "a batch renamed to another day with another netTotal",
            change: { $0.replacing("C20260301,20260301,4,288", with: "C20260303,20260303,4,999") },
            differences: [.missingBatch, .extraBatch]),
        Alteration(
            testDescription: "a batch added", change: { $0 + "A1112,SGD,S1,G1,20260302,C20260303,20260303,1,7\n" },
            differences: [.extraBatch], found: "A1112,SGD,S1,G1,20260302,C20260303,20260303,1,7"),
        Alteration(
            testDescription: "the value date of all lines", change: { $0.replacing("20260302", with: "20260309") },
            differences: [.valueDate, .valueDate], field: "valueDate", expected: "20260302", found: "20260309"),
        Alteration(
            testDescription: "the value date of one line", change: { $0.replacing("20260302,C20260228", with: "20260309,C20260228") },
            differences: [.valueDate], field: "valueDate", expected: "20260302", found: "20260309"),
        Alteration(
            testDescription: "netTotal of a day whose clearing is not at hand",
            change: { $0.replacing("20260228,1,5", with: "20260228,1,6") },
            differences: [.settlementLine], field: "netTotal", expected: "5", found: "6"),
        Alteration(
            testDescription: "totalCount", change: { $0.replacing("20260301,4,288", with: "20260301,5,288") },
            differences: [.settlementLine], field: "totalCount", expected: "4", found: "5"),
        Alteration(
            testDescription: "clearingDate", change: { $0.replacing("20260301,4", with: "20260228,4") }, differences: [.settlementLine],
            field: "clearingDate", expected: "20260301", found: "20260228"),
        Alteration(
            testDescription: "participantAgreementId", change: { $0.replacing("G1,20260302,C20260301", with: "G2,20260302,C20260301") },
            differences: [.settlementLine], field: "participantAgreementId", expected: "G1", found: "G2"),
        Alteration(
            testDescription: "a field behind the last", change: { $0.replacing("4,288\n", with: "4,288,1\n") },
            differences: [.unknownColumn], field: "column 10", found: "1"),
        Alteration(
            testDescription: "a column more", change: { $0.replacing("netTotal\n", with: "netTotal,bonus\n") },
            differences: [.unknownColumn, .unreadable], field: "bonus"),
        Alteration(
            testDescription: "a column more in the summary", kind: .summary,
            change: { $0.replacing("netTotal\n", with: "netTotal,bonus\n") },
            differences: [.unknownColumn, .unreadable], field: "bonus"),
        Alteration(
            testDescription: "a field more in the summary", kind: .summary,
            change: { $0.split(separator: "\n").map { $0.hasPrefix("W1,") ? "\($0),9" : $0 }.joined(separator: "\n") + "\n" },
            differences: [.unknownColumn], field: "column 9", found: "9"),
        Alteration(
            testDescription: "a field less in the fees", kind: .fee, change: { $0.replacing("T2,PAYMENT,SGD,7", with: "T2,PAYMENT,SGD") },
            differences: [.feeLine], field: "feeAmount", expected: "7"),
        Alteration(
            testDescription: "the clearing date", kind: .detail,
            change: { $0.replacing("SGD,C20260301,G1,20260301", with: "SGD,C20260301,G1,20260228") },
            differences: [.otherFile, .outsideCycle, .outsideCycle, .outsideCycle, .outsideCycle], field: "clearingDate",
            expected: "20260301", found: "20260228"),
    ]

    @Test(arguments: alterations) func alterationIsNamedAgainstTheMadeFiles(alteration: Alteration) throws {
        let report = try Self.sound()
        let made = try Self.files(report) + [Self.settlement(net: 288)]
        #expect(ReportChecker.differences(in: made, books: report.transactions, made: made).isEmpty)
        let changed = made.map { file in
            guard file.name.hasPrefix(alteration.kind.rawValue) else { return file }
            return (name: file.name, bytes: Array(alteration.change(String(decoding: file.bytes, as: UTF8.self)).utf8))
        }
        let found = ReportChecker.differences(in: changed, books: report.transactions, made: made)
        #expect(found.map(\.kind).sorted { $0.rawValue < $1.rawValue } == alteration.differences.sorted { $0.rawValue < $1.rawValue })
        let named = try #require(found.first { $0.kind == alteration.differences[0] })
        #expect(named.file.hasPrefix(alteration.kind.rawValue))
        if let field = alteration.field { #expect(named.field == field) }
        if let expected = alteration.expected { #expect(named.expected == expected) }
        if let value = alteration.found { #expect(named.found == value) }
    }

    @Test func fileThatTheBooksDoNotMakeIsNamedAndNotRead() throws {
        let report = try Self.sound()
        let made = try Self.files(report) + [Self.settlement(net: 288)]
        let more = (name: made[0].name.replacing("_000", with: "_001"), bytes: made[0].bytes)
        let found = ReportChecker.differences(in: made + [more, ("notes.txt", [])], books: report.transactions, made: made)
        #expect(found.map(\.kind) == [.unexpectedFile, .unexpectedFile] && found.map(\.file) == [more.name, "notes.txt"])
        for index in made.indices {
            var files = made
            let missing = files.remove(at: index)
            let lost = ReportChecker.differences(in: files, books: report.transactions, made: made)
            #expect(lost.filter { $0.kind == .fileMissing }.map(\.file) == [missing.name])
        }
    }

    @Test func batchThatStandsTwiceIsNamedWithoutBooks() throws {
        let settlement = try Self.settlement(net: 288)
        let doubled = (name: settlement.name, bytes: settlement.bytes + Array(Self.paidBatch.utf8))
        let found = ReportChecker.differences(in: try Self.files(Self.sound()) + [doubled])
        #expect(found.map(\.kind) == [.duplicateBatch] && found.first?.subject == "C20260301")
    }
}
