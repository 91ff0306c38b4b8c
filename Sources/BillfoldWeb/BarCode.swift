/// A bar code as goods have it: EAN-13 (ISO/IEC 15420).
package struct BarCode: Sendable, Hashable {
    /// Thirteen digits, the last of which checks the others.
    package let digits: String
    /// From left to right, 95 of them.
    private let isDark: [Bool]

    /// The quiet zone that readers need beside the code, in modules.
    package static let margin = 11

    private static let left = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    private static let parities = [
        "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
    ]

    /// Refuses with `bar-code-malformed` what is not thirteen digits with a check digit that fits.
    package init(ean13 digits: String) throws(WebError) {
        let numbers = digits.utf8.map { Int($0) - 48 }
        guard numbers.count == 13, numbers.allSatisfy({ (0...9).contains($0) }),
            numbers.enumerated().reduce(0, { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }).isMultiple(of: 10)
        else { throw WebError(code: .barCodeMalformed, reason: "a bar code is thirteen digits, the last of which checks the others") }
        let right = Self.left.map { String($0.map { $0 == "0" ? "1" : "0" }) }
        var modules = "101"
        for (digit, parity) in zip(numbers[1...6], Self.parities[numbers[0]]) {
            modules += parity == "L" ? Self.left[digit] : String(right[digit].reversed())
        }
        modules += "01010"
        for digit in numbers[7...12] { modules += right[digit] }
        modules += "101"
        self.digits = digits
        isDark = modules.map { $0 == "1" }
    }

    /// The dark bars as the data of an SVG path: a module is one unit wide, and the code 40 high.
    package var path: String {
        isDark.indices.filter { isDark[$0] }.map { "M\($0) 0h1v\(Self.height)h-1z" }.joined()
    }

    /// The part of the plane that a picture shows: the code with its quiet zone.
    package var viewBox: String { "\(-Self.margin) -4 \(isDark.count + 2 * Self.margin) \(Self.height + 8)" }

    private static let height = 40

    /// A picture of it, as photographs' readers take it.
    package func greymap(scale: Int) -> [UInt8] {
        Greymap(width: isDark.count + 2 * Self.margin, height: Self.height + 8, scale: scale) { row, column in
            let module = column - Self.margin
            return (4..<4 + Self.height).contains(row) && isDark.indices.contains(module) && isDark[module]
        }.bytes
    }
}

extension QRCode {
    /// A picture of it with its quiet zone, as photographs' readers take it.
    package func greymap(scale: Int) -> [UInt8] {
        let all = side + 2 * Self.margin
        return Greymap(width: all, height: all, scale: scale) { row, column in
            let (row, column) = (row - Self.margin, column - Self.margin)
            return (0..<side).contains(row) && (0..<side).contains(column) && self[row, column]
        }.bytes
    }
}

/// A picture in Netpbm's form for grey ones.
private struct Greymap {
    let bytes: [UInt8]

    init(width: Int, height: Int, scale: Int, _ isDark: (_ row: Int, _ column: Int) -> Bool) {
        let scale = max(1, scale)
        var bytes = Array("P5\n\(width * scale) \(height * scale)\n255\n".utf8)
        bytes.reserveCapacity(bytes.count + width * height * scale * scale)
        for row in 0..<height {
            var line: [UInt8] = []
            for column in 0..<width { line.append(contentsOf: repeatElement(isDark(row, column) ? 0 : 255, count: scale)) }
            for _ in 0..<scale { bytes.append(contentsOf: line) }
        }
        self.bytes = bytes
    }
}
