/// How the file of `forex_refund_file` is laid out. No layout is published, so another one can be put in (alipay.md#refund-file [I]).
package protocol RefundFileFormat: Sendable {
    /// The file's refunds in their order; `nil` where it is no such file.
    func lines(of text: String) -> [RefundFileLine]?
}

/// One refund of a file, with the names of `forex_refund`. Nothing of it is checked yet.
package struct RefundFileLine: Sendable, Hashable {
    package var outReturnNo: String
    package var outTradeNo: String
    /// In the currency's major units.
    package var amount: String
    package var currency: String
    /// `gmt_return`.
    package var time: String
    package var reason: String

    package init(outReturnNo: String, outTradeNo: String, amount: String, currency: String, time: String, reason: String) {
        self.outReturnNo = outReturnNo
        self.outTradeNo = outTradeNo
        self.amount = amount
        self.currency = currency
        self.time = time
        self.reason = reason
    }
}

/// Lines `out_return_no|out_trade_no|return_amount|currency|gmt_return|reason`, set out as the gateway's own files are [I].
package struct PipedRefundFile: RefundFileFormat {
    package init() {}

    package func lines(of text: String) -> [RefundFileLine]? {
        var lines: [RefundFileLine] = []
        // By bytes: a separator with a combining mark behind it is one all the same.
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let parts = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard parts.count == 6 else { return nil }
            lines.append(
                RefundFileLine(
                    outReturnNo: parts[0], outTradeNo: parts[1], amount: parts[2], currency: parts[3], time: parts[4], reason: parts[5]))
        }
        return lines
    }
}
