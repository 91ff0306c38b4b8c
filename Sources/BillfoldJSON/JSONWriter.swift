/// Writes JSON with members in their given order; text stays UTF-8, numbers stay the literals they are.
public enum JSONWriter {
    /// - Parameters:
    ///   - value: What is written.
    ///   - style: How; by default compact, without escaped slashes.
    public static func write(_ value: JSONValue, style: JSONStyle = .compact) -> [UInt8] {
        var printer = JSONPrinter(style: style)
        printer.write(value, depth: 0)
        return printer.output.array
    }

    /// Writes an object as the value that it is.
    public static func write(_ object: JSONObject, style: JSONStyle = .compact) -> [UInt8] { write(.object(object), style: style) }

    /// An object of texts alone, compact, in this order. A member without a text is left out.
    public static func write(texts members: [(key: String, text: String?)]) -> [UInt8] {
        var printer = JSONPrinter(style: .compact)
        printer.output.append(UInt8(ascii: "{"))
        for case (let key, let text?) in members {
            if printer.output.count > 1 { printer.output.append(UInt8(ascii: ",")) }
            printer.quote(key)
            printer.output.append(UInt8(ascii: ":"))
            printer.quote(text)
        }
        printer.output.append(UInt8(ascii: "}"))
        return printer.output.array
    }

    /// A JSON string with its quotation marks.
    /// - Parameters:
    ///   - text: What the string says.
    ///   - escapesSlash: Writes `\/`, as some wallets do.
    public static func quoted(_ text: String, escapesSlash: Bool = false) -> [UInt8] {
        var printer = JSONPrinter(style: JSONStyle(escapesSlash: escapesSlash))
        printer.quote(text)
        return printer.output.array
    }
}
