import PaymentCrypto

/// The grammar `key="value"&key="value"` of legacy orders and results, with the bytes of every value as they came.
package struct QuotedPairs: Sendable, Hashable {
    package let pairs: [LegacyOrder.Pair]

    /// Keys whose values are JSON and therefore hold quotation marks.
    static let jsonKeys: Set<String> = [
        "split_fund_info", "trade_information", "hb_fq_param", "promo_params", "out_context", "bizcontext", "extend_params",
    ]

    /// A value ends at a quotation mark that is followed by the end or by `&key="`: nobody escapes `&` and `=` in values [I].
    /// One pass; `malformed` names the byte where the grammar breaks.
    package init(_ bytes: [UInt8], reading: AlipayReading) throws(AlipayError) {
        var pairs: [LegacyOrder.Pair] = []
        var seen: Set<String> = []
        var index = 0
        while true {
            let nameEnd = Self.endOfName(bytes, from: index)
            guard nameEnd > index, bytes[nameEnd...].starts(with: [UInt8(ascii: "="), UInt8(ascii: "\"")]) else {
                throw AlipayError(code: .malformed, reason: "key=\"value\" is due at byte \(index)")
            }
            let name = String(decoding: bytes[index..<nameEnd], as: UTF8.self)
            guard seen.insert(name).inserted else {
                throw AlipayError(code: .duplicateKey, reason: "the key \(AlipayError.quoted(name)) occurs twice")
            }
            guard pairs.count < AlipayParameters.maximumCount else {
                throw AlipayError(code: .tooLarge, reason: "more than \(AlipayParameters.maximumCount) parameters")
            }
            let start = nameEnd + 2
            guard let end = Self.endOfValue(bytes, from: start) else {
                throw AlipayError(code: .malformed, reason: "the value of \(name) has no closing quotation mark")
            }
            let value = Array(bytes[start..<end])
            if reading == .strict, !Self.jsonKeys.contains(name), value.contains(UInt8(ascii: "\"")) {
                throw AlipayError(code: .malformed, reason: "the value of \(name) holds a quotation mark, from byte \(start)")
            }
            pairs.append(.init(name: name, value: value))
            index = end + 1
            if index == bytes.count { break }
            index += 1
        }
        self.pairs = pairs
    }

    private static func endOfName(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, index - start < 64, PercentEncoding.isNameByte(bytes[index]) { index += 1 }
        return index
    }

    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                if index + 1 == bytes.count { return index }
                if bytes[index + 1] == UInt8(ascii: "&") {
                    let nameEnd = endOfName(bytes, from: index + 2)
                    if nameEnd > index + 2, bytes[nameEnd...].starts(with: [UInt8(ascii: "="), UInt8(ascii: "\"")]) { return index }
                }
            }
            index += 1
        }
        return nil
    }

    /// The pairs as they are sent and signed: in order, with quotation marks, values untouched.
    static func join(_ pairs: some Sequence<LegacyOrder.Pair>) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes += pair.name.utf8
            bytes += [UInt8(ascii: "="), UInt8(ascii: "\"")]
            bytes += pair.value
            bytes.append(UInt8(ascii: "\""))
        }
        return bytes
    }
}
