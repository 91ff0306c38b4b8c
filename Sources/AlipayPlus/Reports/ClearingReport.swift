public import AlipayPlusValues
import BillfoldMoney

/// The three files of one clearing cycle and one agreement. An empty cycle makes them too, with zero counts (alipay-plus.md#reports [D]).
public struct ClearingReport: Sendable, Hashable {
    public var participantId: String
    /// Three letters.
    public var settlementCurrency: String
    public var clearingBatchId: String
    public var participantAgreementId: String
    public var sequence: Int
    public var cycle: ClearingCycle
    /// Successful payments and refunds of the cycle, in the order of their rows. Cancelled payments are not among them.
    public var transactions: [ReportTransaction]

    public init(
        participantId: String, settlementCurrency: String, clearingBatchId: String, participantAgreementId: String, sequence: Int = 0,
        cycle: ClearingCycle, transactions: [ReportTransaction]
    ) {
        self.participantId = participantId
        self.settlementCurrency = settlementCurrency
        self.clearingBatchId = clearingBatchId
        self.participantAgreementId = participantAgreementId
        self.sequence = sequence
        self.cycle = cycle
        self.transactions = transactions
    }

    /// The name of one of the report's files. `malformed-report` where the report's own values make none.
    public func name(_ kind: ReportKind) throws(AlipayPlusError) -> ReportFileName {
        try ReportFileName(
            kind, participantId: participantId, settlementCurrency: settlementCurrency, batchId: clearingBatchId,
            participantAgreementId: participantAgreementId, sequence: sequence)
    }

    static let head = ["participantId", "settlementCurrency", "clearingBatchId", "participantAgreementId", "clearingDate"]
    static let summaryColumns = ["counterParticipantId"] + ReportTotals.columns
    static let feeColumns = ["transactionId", "transactionType", "feeCurrency", "feeAmount"]

    /// The files: detail, summary, fees. `malformed-report`, `unknown-currency`.
    public func files() throws(AlipayPlusError) -> [(name: ReportFileName, bytes: [UInt8])] {
        let currency = try WireCurrency(settlementCurrency).currency
        let head = [participantId, settlementCurrency, clearingBatchId, participantAgreementId, cycle.day]
        var detail: [[String]] = [
            Self.head + ReportTotals.columns, head + (try ReportTotals(of: transactions, in: currency).fields), [],
            ReportTransaction.columns,
        ]
        for transaction in transactions { detail.append(try transaction.fields()) }
        var summary = [Self.summaryColumns]
        for (wallet, rows) in Self.byWallet(transactions) {
            summary.append([wallet] + (try ReportTotals(of: rows, in: currency).fields))
        }
        let fees = transactions.map { [$0.transactionId, $0.type.rawValue, settlementCurrency, $0.fee.minorUnitText] }
        return [
            (try name(.detail), CSVText.write(detail)), (try name(.summary), CSVText.write(summary)),
            (try name(.fee), CSVText.write([Self.feeColumns] + fees)),
        ]
    }

    /// In the order of the wallets' ids.
    static func byWallet(_ transactions: [ReportTransaction]) -> [(wallet: String, rows: [ReportTransaction])] {
        Dictionary(grouping: transactions, by: \.counterParticipantId).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Reads a detail file. `malformed-report`.
    /// - Returns: The report, and the totals as the file states them.
    public static func read(_ name: ReportFileName, _ bytes: [UInt8]) throws(AlipayPlusError) -> (report: ClearingReport, stated: [String])
    {
        let rows = try CSVText.read(bytes)
        guard rows.count >= 4, rows[0] == head + ReportTotals.columns, rows[1].count == rows[0].count, rows[2].isEmpty,
            rows[3] == ReportTransaction.columns
        else { throw AlipayPlusError(code: .malformedReport, reason: "the file has no summary part above its rows") }
        let values = rows[1]
        var transactions: [ReportTransaction] = []
        for row in rows.dropFirst(4) { transactions.append(try ReportTransaction(row)) }
        let report = ClearingReport(
            participantId: values[0], settlementCurrency: values[1], clearingBatchId: values[2], participantAgreementId: values[3],
            sequence: name.sequence, cycle: try ClearingCycle(day: values[4]), transactions: transactions)
        return (report, Array(values.dropFirst(head.count)))
    }
}

/// What is paid out: the nets of one or more clearing batches, on a business day.
public struct SettlementReport: Sendable, Hashable {
    /// What one clearing batch adds to the payout.
    public struct Batch: Sendable, Hashable {
        public var clearingBatchId: String
        /// `yyyyMMdd`.
        public var clearingDate: String
        public var totalCount: Int
        /// Whole smallest units of the settlement currency.
        public var netTotal: Int64

        public init(clearingBatchId: String, clearingDate: String, totalCount: Int, netTotal: Int64) {
            self.clearingBatchId = clearingBatchId
            self.clearingDate = clearingDate
            self.totalCount = totalCount
            self.netTotal = netTotal
        }
    }

    public var name: ReportFileName
    /// `yyyyMMdd`, on which the money moves.
    public var valueDate: String
    public var batches: [Batch]

    /// `malformed-report` unless the name is that of a settlement file.
    public init(name: ReportFileName, valueDate: String, batches: [Batch]) throws(AlipayPlusError) {
        guard name.kind == .settlement else {
            throw AlipayPlusError(code: .malformedReport, reason: "the name is not that of a settlement file")
        }
        self.name = name
        self.valueDate = valueDate
        self.batches = batches
    }

    static let columns = [
        "participantId", "settlementCurrency", "settlementBatchId", "participantAgreementId", "valueDate", "clearingBatchId",
        "clearingDate",
        "totalCount", "netTotal",
    ]

    /// The whole file: CSV with the columns' names in its first row, then a row for each batch.
    public func bytes() -> [UInt8] {
        let head = [name.participantId, name.settlementCurrency, name.batchId, name.participantAgreementId, valueDate]
        return CSVText.write(
            [Self.columns] + batches.map { head + [$0.clearingBatchId, $0.clearingDate, String($0.totalCount), String($0.netTotal)] })
    }

    /// `malformed-report` for rows that are none, or that name another file than theirs.
    public init(_ name: ReportFileName, _ bytes: [UInt8]) throws(AlipayPlusError) {
        let rows = try CSVText.read(bytes)
        guard rows.first == Self.columns else {
            throw AlipayPlusError(code: .malformedReport, reason: "the settlement file has other columns")
        }
        var batches: [Batch] = []
        for row in rows.dropFirst() {
            guard row.count == Self.columns.count,
                Array(row[0..<4]) == [name.participantId, name.settlementCurrency, name.batchId, name.participantAgreementId],
                row[4] == rows[1][4], let count = Int(row[7]), let net = Int64(row[8])
            else { throw AlipayPlusError(code: .malformedReport, reason: "a row of the settlement file is not one of its own") }
            batches.append(Batch(clearingBatchId: row[5], clearingDate: row[6], totalCount: count, netTotal: net))
        }
        try self.init(name: name, valueDate: rows.count > 1 ? rows[1][4] : "", batches: batches)
    }
}
