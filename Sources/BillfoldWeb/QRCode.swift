import CQRencode

/// A QR code (ISO/IEC 18004) of the correction level M, which outlives a scratch and a reflection.
package struct QRCode: Sendable, Hashable {
    /// How many modules a side has.
    package let side: Int
    /// Row by row.
    private let isDark: [Bool]

    /// The quiet zone that readers need around the code, in modules.
    package static let margin = 4
    /// The longest text.
    package static let maximumLength = 1_024

    /// Refuses with `code-too-long` what does not fit, and a text with a NUL.
    package init(_ text: String) throws(WebError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0),
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { throw WebError(code: .codeTooLong, reason: "a text of 1 to \(Self.maximumLength) bytes fits into a QR code") }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        // The lowest bit says whether a module is dark; the others tell what it is there for.
        isDark = (0..<side * side).map { code.pointee.data[$0] & 1 == 1 }
        self.side = side
    }

    package subscript(row: Int, column: Int) -> Bool { isDark[row * side + column] }

    /// The dark modules as the data of an SVG path, a module being one unit.
    package var path: String {
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while column < side, self[row, column] { column += 1 }
                if column > start { path += "M\(start) \(row)h\(column - start)v1H\(start)z" }
                column += 1
            }
        }
        return path
    }

    /// The part of the plane that a picture shows: the code with its quiet zone.
    package var viewBox: String { "\(-Self.margin) \(-Self.margin) \(side + 2 * Self.margin) \(side + 2 * Self.margin)" }
}
