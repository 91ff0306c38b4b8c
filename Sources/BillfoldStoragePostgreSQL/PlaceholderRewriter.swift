/// Turns the `?` of portable SQL into PostgreSQL's `$1`, `$2` …, leaving strings, quoted names and comments alone.
package enum PlaceholderRewriter {
    /// - Returns: The text for PostgreSQL and the number of placeholders in it.
    package static func rewrite(_ sql: String) -> (sql: String, placeholders: Int) {
        let input = Array(sql.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(input.count + 16)
        var placeholders = 0
        var index = 0
        while index < input.count {
            let end = endOfQuoted(input, from: index)
            if end > index {
                output.append(contentsOf: input[index..<end])
                index = end
            } else if input[index] == UInt8(ascii: "?") {
                placeholders += 1
                output.append(UInt8(ascii: "$"))
                output.append(contentsOf: String(placeholders).utf8)
                index += 1
            } else {
                output.append(input[index])
                index += 1
            }
        }
        return (String(decoding: output, as: UTF8.self), placeholders)
    }

    /// Where the string, quoted name or comment that begins at `start` ends; `start` itself when none does. Doubled quotes
    /// need no care: the second half is read as a string of its own.
    private static func endOfQuoted(_ input: [UInt8], from start: Int) -> Int {
        let next = start + 1 < input.count ? input[start + 1] : 0
        switch (input[start], next) {
        case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _):
            return input[(start + 1)...].firstIndex(of: input[start]).map { $0 + 1 } ?? input.count
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            return input[start...].firstIndex(of: UInt8(ascii: "\n")) ?? input.count
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            return endOfBlockComment(input, from: start)
        default:
            return start
        }
    }

    /// PostgreSQL's block comments nest.
    private static func endOfBlockComment(_ input: [UInt8], from start: Int) -> Int {
        var depth = 0
        var index = start
        while index + 1 < input.count {
            switch (input[index], input[index + 1]) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                index += 2
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                index += 2
                if depth == 0 { return index }
            default:
                index += 1
            }
        }
        return input.count
    }
}
