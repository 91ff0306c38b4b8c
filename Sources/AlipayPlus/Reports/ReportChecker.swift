import AlipayPlusValues
import BillfoldMoney

/// Rebuilds a day's reports from their rows and names every difference to the smallest unit: within the files, between them, and against
/// a party's own books.
public struct ReportChecker: Sendable {
    private struct Clearing {
        var name: ReportFileName
        var report: ClearingReport
        var totals: ReportTotals?
    }

    private let files: [(name: String, bytes: [UInt8])]
    /// By name.
    private let made: [String: [UInt8]]?
    private var differences: [ReportDifference] = []

    private init(files: [(name: String, bytes: [UInt8])], made: [String: [UInt8]]?) {
        self.files = files
        self.made = made
    }

    /// - Parameters:
    ///   - files: By name alone, without their folder.
    ///   - books: Every successful payment and refund of the same cycle, participant and agreements, from one's own ledger; nil
    ///   compares the files with each other only.
    ///   - made: All files of the same cycle and participant, as they are made from that ledger, where one can make them. Then each of
    ///   them has to be there and none besides, and a settlement is compared with what was made; without it a batch of a settlement
    ///   is judged only where its clearing is among the files.
    public static func differences(
        in files: [(name: String, bytes: [UInt8])], books: [ReportTransaction]? = nil, made: [(name: String, bytes: [UInt8])]? = nil
    ) -> [ReportDifference] {
        let byName = made.map { Dictionary($0.map { ($0.name, $0.bytes) }) { first, _ in first } }
        var checker = ReportChecker(files: files, made: byName)
        for file in made ?? [] where !files.contains(where: { $0.name == file.name }) {
            checker.differences.append(ReportDifference(.fileMissing, file: file.name))
        }
        checker.run(books)
        return checker.differences
    }

    private mutating func run(_ books: [ReportTransaction]?) {
        var clearings: [Clearing] = []
        var others: [(name: ReportFileName, bytes: [UInt8])] = []
        for file in files {
            guard made?[file.name] != nil || made == nil else {
                differences.append(ReportDifference(.unexpectedFile, file: file.name))
                continue
            }
            do throws(AlipayPlusError) {
                let name = try ReportFileName(file.name)
                if name.kind == .detail { clearings.append(try clearing(name, file.bytes)) } else { others.append((name, file.bytes)) }
            } catch {
                differences.append(ReportDifference(.unreadable, file: file.name, found: error.reason))
            }
        }
        for clearing in clearings { companions(of: clearing, among: others) }
        for other in others {
            do throws(AlipayPlusError) {
                if other.name.kind == .settlement {
                    try settlement(other.name, bytes: other.bytes, of: clearings)
                } else {
                    try companion(other.name, bytes: other.bytes, of: clearings)
                }
            } catch {
                differences.append(ReportDifference(.unreadable, file: other.name.description, found: error.reason))
            }
        }
        duplicates(clearings)
        if let books { compare(clearings, with: books) }
    }

    private mutating func note(
        _ kind: ReportDifference.Kind, in name: ReportFileName, subject: String? = nil, field: String? = nil, expected: String? = nil,
        found: String? = nil
    ) {
        differences.append(
            ReportDifference(kind, file: name.description, subject: subject, field: field, expected: expected, found: found))
    }

    /// A missing file is named by each file that misses it; where the made files say what has to be there, once.
    private mutating func noteMissing(_ name: ReportFileName) {
        let missing = ReportDifference(.fileMissing, file: name.description)
        if made == nil || !differences.contains(missing) { differences.append(missing) }
    }

    /// `malformed-report` for other columns than these; those that are too many are named before.
    private mutating func require(_ columns: [String], in name: ReportFileName, found: [String]?) throws(AlipayPlusError) {
        if found == columns { return }
        for column in found ?? [] where !columns.contains(column) {
            note(.unknownColumn, in: name, field: column, found: column)
        }
        throw AlipayPlusError(code: .malformedReport, reason: "the file has other columns")
    }

    // MARK: One detail file

    private mutating func clearing(_ name: ReportFileName, _ bytes: [UInt8]) throws(AlipayPlusError) -> Clearing {
        let all = try CSVText.read(bytes)
        try require(ClearingReport.head + ReportTotals.columns, in: name, found: all.first)
        if all.count > 3 { try require(ReportTransaction.columns, in: name, found: all[3]) }
        let (report, stated) = try ClearingReport.read(name, bytes)
        if try report.name(.detail) != name {
            note(.otherFile, in: name, expected: name.description, found: try report.name(.detail).description)
        }
        if let made = made?[name.description], let cycle = try? ClearingReport.read(name, made).report.cycle, cycle != report.cycle {
            note(.otherFile, in: name, field: "clearingDate", expected: cycle.day, found: report.cycle.day)
        }
        let rows = all.dropFirst(4)
        for (transaction, row) in zip(report.transactions, rows) {
            let subject = transaction.transactionId
            if transaction.settlementAmount.currency.alphabeticCode != report.settlementCurrency {
                note(.currency, in: name, subject: subject, field: "settlementCurrency", expected: report.settlementCurrency, found: row[9])
            }
            let net = try transaction.net().minorUnitText
            if net != row[12] { note(.net, in: name, subject: subject, field: "netAmount", expected: net, found: row[12]) }
            if !report.cycle.contains(transaction.transactionTime) {
                note(
                    .outsideCycle, in: name, subject: subject, field: "transactionTime", expected: report.cycle.day,
                    found: transaction.transactionTime.description)
            }
        }
        let totals = try? ReportTotals(of: report.transactions, in: WireCurrency(report.settlementCurrency).currency)
        if let totals { compare(.total, in: name, subject: nil, columns: ReportTotals.columns, expected: totals.fields, found: stated) }
        return Clearing(name: name, report: report, totals: totals)
    }

    private mutating func compare(
        _ kind: ReportDifference.Kind, in name: ReportFileName, subject: String?, columns: [String], expected: [String], found: [String]
    ) {
        for (index, column) in columns.enumerated() {
            let wanted = index < expected.count ? expected[index] : nil
            let value = index < found.count ? found[index] : nil
            if wanted != value { note(kind, in: name, subject: subject, field: column, expected: wanted, found: value) }
        }
        for index in found.indices.dropFirst(columns.count) {
            note(.unknownColumn, in: name, subject: subject, field: "column \(index + 1)", found: found[index])
        }
    }

    /// The same payment in two files, or twice in one.
    private mutating func duplicates(_ clearings: [Clearing]) {
        var seen: Set<String> = []
        for clearing in clearings {
            for transaction in clearing.report.transactions where !seen.insert(transaction.transactionId).inserted {
                note(.duplicateRow, in: clearing.name, subject: transaction.transactionId)
            }
        }
    }

    // MARK: Files beside it

    private mutating func companions(of clearing: Clearing, among others: [(name: ReportFileName, bytes: [UInt8])]) {
        for kind in [ReportKind.summary, .fee] {
            var name = clearing.name
            name.kind = kind
            if !others.contains(where: { $0.name == name }) { noteMissing(name) }
        }
    }

    private mutating func companion(_ name: ReportFileName, bytes: [UInt8], of clearings: [Clearing]) throws(AlipayPlusError) {
        var wanted = name
        wanted.kind = .detail
        let rows = try CSVText.read(bytes)
        try require(name.kind == .fee ? ClearingReport.feeColumns : ClearingReport.summaryColumns, in: name, found: rows.first)
        guard let clearing = clearings.first(where: { $0.name == wanted }) else { return noteMissing(wanted) }
        guard let detail = try clearing.report.files().first(where: { $0.name.kind == name.kind }) else { return }
        lines(
            name.kind == .fee ? .feeLine : .summaryLine, name, expected: Array(try CSVText.read(detail.bytes).dropFirst()),
            found: Array(rows.dropFirst()))
    }

    /// Compares lines by their first field; each differing column is named.
    private mutating func lines(_ kind: ReportDifference.Kind, _ name: ReportFileName, expected: [[String]], found: [[String]]) {
        let columns = kind == .feeLine ? ClearingReport.feeColumns : ClearingReport.summaryColumns
        var rest = found
        for line in expected {
            guard let index = rest.firstIndex(where: { $0.first == line.first }) else {
                note(kind, in: name, subject: line.first, expected: line.joined(separator: ","))
                continue
            }
            compare(kind, in: name, subject: line.first, columns: columns, expected: line, found: rest.remove(at: index))
        }
        for line in rest { note(kind, in: name, subject: line.first, found: line.joined(separator: ",")) }
    }

    /// A batch whose clearing is not at hand is taken as it is: settlement may gather several days.
    private mutating func settlement(_ name: ReportFileName, bytes: [UInt8], of clearings: [Clearing]) throws(AlipayPlusError) {
        let rows = try CSVText.read(bytes)
        try require(SettlementReport.columns, in: name, found: rows.first)
        if let made = made?[name.description] {
            var comparison = SettlementComparison(name)
            comparison.compare(expected: Array(try CSVText.read(made).dropFirst()), found: Array(rows.dropFirst()))
            differences += comparison.differences
            return
        }
        let report = try SettlementReport(name, bytes)
        var seen: Set<String> = []
        for batch in report.batches {
            if !seen.insert(batch.clearingBatchId).inserted { note(.duplicateBatch, in: name, subject: batch.clearingBatchId) }
            let parts = clearings.filter {
                $0.report.clearingBatchId == batch.clearingBatchId && $0.name.participantAgreementId == name.participantAgreementId
                    && $0.report.settlementCurrency == name.settlementCurrency
            }
            let totals = parts.compactMap(\.totals)
            guard !totals.isEmpty, totals.count == parts.count else { continue }
            let net = totals.reduce(Int64(0)) { $0 &+ $1.netTotal.minorUnits }
            compare(
                .settlementLine, in: name, subject: batch.clearingBatchId, columns: ["clearingDate", "totalCount", "netTotal"],
                expected: [parts[0].report.cycle.day, String(totals.reduce(0) { $0 + $1.totalCount }), String(net)],
                found: [batch.clearingDate, String(batch.totalCount), String(batch.netTotal)])
        }
    }

    // MARK: Books

    private mutating func compare(_ clearings: [Clearing], with books: [ReportTransaction]) {
        var rest = Dictionary(books.map { ($0.transactionId, $0) }, uniquingKeysWith: { first, _ in first })
        for clearing in clearings {
            for transaction in clearing.report.transactions {
                guard let known = rest.removeValue(forKey: transaction.transactionId) else {
                    note(.extraRow, in: clearing.name, subject: transaction.transactionId)
                    continue
                }
                guard let expected = try? known.fields(), let found = try? transaction.fields() else { continue }
                compare(
                    .alteredRow, in: clearing.name, subject: transaction.transactionId, columns: ReportTransaction.columns,
                    expected: expected, found: found)
            }
        }
        for missing in rest.values.sorted(by: { $0.transactionId < $1.transactionId }) {
            let file = clearings.first { $0.report.settlementCurrency == missing.settlementAmount.currency.alphabeticCode }?.name
                .description
            differences.append(ReportDifference(.missingRow, file: file ?? "none", subject: missing.transactionId))
        }
    }
}
