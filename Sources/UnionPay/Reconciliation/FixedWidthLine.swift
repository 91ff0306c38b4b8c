/// A line whose columns have fixed widths in **bytes**, with one separator character between them.
///
/// Text is GBK, where a Chinese character is two bytes: lines are cut by bytes and decoded afterwards.
struct FixedWidthLayout: Sendable {
    let widths: [Int]

    /// Bytes of a line without its end.
    var length: Int { widths.reduce(0, +) + widths.count - 1 }

    /// Cuts a line and removes trailing blanks of each column. `malformed-file` when the length does not fit.
    func split(_ line: [UInt8]) throws(UnionPayError) -> [String] {
        // Writers differ on the blanks at the end of the last column; everything before it has to be there.
        let minimum = length - (widths.last ?? 0)
        guard line.count >= minimum, line.count <= length else {
            throw UnionPayError(code: .malformedFile, reason: "a line has \(line.count) bytes, not \(length)")
        }
        var values: [String] = []
        var start = 0
        for width in widths {
            let end = min(start + width, line.count)
            let cell = start < end ? Array(line[start..<end]) : []
            let used = (cell.lastIndex { $0 != UInt8(ascii: " ") }).map { $0 + 1 } ?? 0
            values.append(try TextEncoding.gbk.decode(Array(cell[..<used])))
            start += width + 1
        }
        return values
    }

    /// Writes a line, columns filled with blanks on the right. `malformed-file` when a value is too long for its column.
    func join(_ values: [String]) throws(UnionPayError) -> [UInt8] {
        guard values.count == widths.count else {
            throw UnionPayError(code: .malformedFile, reason: "a line has \(widths.count) columns")
        }
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            let bytes = try TextEncoding.gbk.encode(value)
            guard bytes.count <= widths[index], !bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
                throw UnionPayError(code: .malformedFile, reason: "column \(index + 1) takes \(widths[index]) bytes of one line")
            }
            if index > 0 { line.append(UInt8(ascii: " ")) }
            line += bytes + [UInt8](repeating: UInt8(ascii: " "), count: widths[index] - bytes.count)
        }
        return line
    }

    /// Cuts a file into lines at LF or CR LF and leaves out empty ones.
    static func lines(_ file: [UInt8]) -> [[UInt8]] {
        file.split(separator: 0x0A).compactMap { line in
            var line = Array(line)
            if line.last == 0x0D { line.removeLast() }
            return line.isEmpty ? nil : line
        }
    }
}
