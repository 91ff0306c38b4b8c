import AlipayPlusValues
import PaymentCrypto

/// Comma-separated text (RFC 4180) in UTF-8: what reports are written in.
enum CSVText {
    static func write(_ rows: [[String]]) -> [UInt8] {
        var text: [UInt8] = []
        for row in rows {
            text += row.map(quoted).joined(separator: ",").utf8
            text.append(0x0A)
        }
        return text
    }

    private static func quoted(_ field: String) -> String {
        field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
            ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }

    /// An empty line is a row of no fields. `malformed-report` for text that is not UTF-8, and for quotation marks in wrong places.
    static func read(_ bytes: [UInt8]) throws(AlipayPlusError) -> [[String]] {
        guard String(utf8: bytes) != nil else {
            throw AlipayPlusError(code: .malformedReport, reason: "the report is not UTF-8")
        }
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var wasQuoted = false
        var index = 0
        func endField() {
            row.append(String(decoding: field, as: UTF8.self))
            field = []
            wasQuoted = false
        }
        func endRow() {
            if row.isEmpty, field.isEmpty, !wasQuoted {
                rows.append([])
            } else {
                endField()
                rows.append(row)
            }
            row = []
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                guard byte == 0x22 else {
                    field.append(byte)
                    continue
                }
                if index < bytes.count, bytes[index] == 0x22 {
                    field.append(0x22)
                    index += 1
                } else {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case 0x22 where field.isEmpty && !wasQuoted:
                isQuoted = true
                wasQuoted = true
            case 0x2C: endField()
            case 0x0A: endRow()
            case 0x0D where index < bytes.count && bytes[index] == 0x0A: break
            case _ where byte != 0x22 && byte != 0x0D && !wasQuoted: field.append(byte)
            default: throw AlipayPlusError(code: .malformedReport, reason: "row \(rows.count + 1) has a stray quotation mark or line end")
            }
        }
        guard !isQuoted else { throw AlipayPlusError(code: .malformedReport, reason: "the report ends inside a quoted field") }
        if !row.isEmpty || !field.isEmpty || wasQuoted { endRow() }
        return rows
    }
}
