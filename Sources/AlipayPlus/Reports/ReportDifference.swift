/// One place where reports disagree with themselves, with each other, or with somebody's own books.
public struct ReportDifference: Sendable, Hashable, CustomStringConvertible {
    /// What kind of difference it is; stable names.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A file whose name or text cannot be read.
        case unreadable
        /// A detail file without its summary or fee file, one of those without its detail file, or one that the books make and that is not
        /// there.
        case fileMissing = "file-missing"
        /// A file that the books do not make: one more of a set, or of another day. What it holds is not looked at.
        case unexpectedFile = "unexpected-file"
        /// A column, or a field behind the last column, that no such file has.
        case unknownColumn = "unknown-column"
        /// The file says another participant, currency, batch or agreement than its name, or another clearing date than its cycle's.
        case otherFile = "other-file"
        /// Totals that its rows do not come to.
        case total
        /// A row's net that its amounts do not come to.
        case net
        /// A row settled in another currency than the file's.
        case currency
        /// A row whose time lies in another cycle: often a wrong day's border.
        case outsideCycle = "outside-cycle"
        case duplicateRow = "duplicate-row"
        /// A line of the summary file that the rows do not come to.
        case summaryLine = "summary-line"
        /// A line of the fee file that differs from its row.
        case feeLine = "fee-line"
        /// A line of the settlement file that its clearing, or the books, do not come to.
        case settlementLine = "settlement-line"
        /// Another value date than that of the settlement which the books make.
        case valueDate = "value-date"
        /// A batch that the settlement pays out and the settlement file does not have.
        case missingBatch = "missing-batch"
        /// A batch that stands twice in one settlement file: it would be paid out twice.
        case duplicateBatch = "duplicate-batch"
        /// A batch of the settlement file that the settlement does not pay out.
        case extraBatch = "extra-batch"
        /// In the books and not in the reports.
        case missingRow = "missing-row"
        /// In the reports and not in the books: a cancelled payment, perhaps.
        case extraRow = "extra-row"
        /// In both, with another value.
        case alteredRow = "altered-row"
    }

    public var kind: Kind
    public var file: String
    /// The transaction, wallet or batch that the line is about.
    public var subject: String?
    /// The column.
    public var field: String?
    /// Rebuilt from the rows, or in the books.
    public var expected: String?
    /// What the file says.
    public var found: String?

    public init(_ kind: Kind, file: String, subject: String? = nil, field: String? = nil, expected: String? = nil, found: String? = nil) {
        self.kind = kind
        self.file = file
        self.subject = subject
        self.field = field
        self.expected = expected
        self.found = found
    }

    public var description: String {
        [
            kind.rawValue, file, subject, field, expected.map { "expected \($0)" }, found.map { "found \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
