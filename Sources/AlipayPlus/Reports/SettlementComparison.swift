/// A settlement file's lines against those of the file that the books make: batch by batch, column by column, as texts.
struct SettlementComparison {
    let name: ReportFileName
    private(set) var differences: [ReportDifference] = []

    private static let columns = SettlementReport.columns
    private static let batch = columns.firstIndex(of: "clearingBatchId") ?? 0

    init(_ name: ReportFileName) { self.name = name }

    /// - Parameters:
    ///   - expected: The lines below the columns' names, as they should be: no batch twice.
    ///   - found: Those of the file.
    mutating func compare(expected: [[String]], found: [[String]]) {
        var rest = found
        for line in expected {
            let batch = Self.id(line)
            guard let index = rest.firstIndex(where: { Self.id($0) == batch }) else {
                note(.missingBatch, subject: batch, expected: line.joined(separator: ","))
                continue
            }
            compare(line, rest.remove(at: index), in: batch)
        }
        let known = Set(expected.map(Self.id))
        for line in rest {
            let batch = Self.id(line)
            note(known.contains(batch) ? .duplicateBatch : .extraBatch, subject: batch, found: line.joined(separator: ","))
        }
    }

    private mutating func compare(_ expected: [String], _ found: [String], in batch: String?) {
        for index in 0..<max(expected.count, found.count) {
            let wanted = index < expected.count ? expected[index] : nil
            let value = index < found.count ? found[index] : nil
            guard wanted != value else { continue }
            guard index < Self.columns.count else {
                note(.unknownColumn, subject: batch, field: "column \(index + 1)", found: value)
                continue
            }
            let column = Self.columns[index]
            note(column == "valueDate" ? .valueDate : .settlementLine, subject: batch, field: column, expected: wanted, found: value)
        }
    }

    private static func id(_ line: [String]) -> String? { batch < line.count ? line[batch] : nil }

    private mutating func note(
        _ kind: ReportDifference.Kind, subject: String?, field: String? = nil, expected: String? = nil, found: String? = nil
    ) {
        differences.append(
            ReportDifference(kind, file: name.description, subject: subject, field: field, expected: expected, found: found))
    }
}
