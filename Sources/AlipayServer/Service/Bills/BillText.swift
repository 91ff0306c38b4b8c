import Alipay
import BillfoldMoney
import BillfoldPayments

/// The lines of a bill, made row by row: payments first, then refunds, then payouts. Lines that begin with `#` are for people. More bytes
/// than the limit are refused with `bill-too-large`.
struct BillText {
    let merchant: MerchantID
    let period: String
    /// Whether it tells what moved on the merchant's account: gross, fee and receivers' parts apart, and payouts. Otherwise it has one line
    /// for each payment and refund.
    let isAccount: Bool
    /// Of its lines, in bytes.
    let limit: Int
    private var lines: [UInt8]
    private var counts = (payments: 0, refunds: 0)

    init(merchant: MerchantID, period: String, isAccount: Bool, limit: Int) {
        self.merchant = merchant
        self.period = period
        self.isAccount = isAccount
        self.limit = limit
        lines = Self.gbk(
            isAccount
                ? "trade_no,out_trade_no,type,at,currency,income,expense\r\n"
                : "trade_no,out_trade_no,type,subject,created,finished,amount,receipt_amount,fee,out_request_no,buyer\r\n")
    }

    mutating func add(_ trade: Trade, _ order: TradeOrder) throws {
        counts.payments += 1
        let at = trade.paidAt.map(ChinaTime.text) ?? ""
        if isAccount {
            try move(trade, as: "在线支付", at: at, amount: trade.money.settlement, isIncome: true)
            try move(trade, as: "收费", at: at, amount: trade.money.fee, isIncome: false)
            for part in try trade.money.settled(order.detail.shares ?? []) {
                try move(
                    trade, as: "分账", at: at, amount: Amount(minorUnits: part, currency: trade.money.settlement.currency), isIncome: false)
            }
        } else {
            try line([
                trade.tradeNo, trade.outTradeNo, "交易", order.detail.subject, ChinaTime.text(trade.createdAt), at, trade.money.price.text,
                trade.money.payable.text, trade.money.fee.text, "", trade.buyer.logonID,
            ])
        }
    }

    mutating func add(_ refund: Refund, _ trade: Trade) throws(AlipayServerError) {
        counts.refunds += 1
        let at = refund.bookedAt.map(ChinaTime.text) ?? ""
        let currency = trade.money.settlement.currency
        if isAccount {
            try move(trade, as: "交易退款", at: at, amount: Amount(minorUnits: refund.part.settlement, currency: currency), isIncome: false)
            try move(trade, as: "退费", at: at, amount: Amount(minorUnits: refund.part.fee, currency: currency), isIncome: true)
            for share in refund.shares {
                try move(trade, as: "分账退回", at: at, amount: Amount(minorUnits: share.settlement, currency: currency), isIncome: true)
            }
        } else {
            try line([
                trade.tradeNo, trade.outTradeNo, "退款", refund.reason, ChinaTime.text(refund.createdAt), at,
                Amount(minorUnits: -refund.part.price, currency: trade.money.price.currency).text,
                Amount(minorUnits: -refund.part.payable, currency: trade.money.payable.currency).text,
                Amount(minorUnits: -refund.part.fee, currency: trade.money.fee.currency).text, refund.requestNo, trade.buyer.logonID,
            ])
        }
    }

    /// A payout of the merchant's own balance, which is of no trade. What receivers of split payments are paid out left the account before.
    mutating func add(_ payout: Payout) throws(AlipayServerError) {
        guard isAccount, payout.receiver == nil else { return }
        try line(["", payout.request, "提现", ChinaTime.text(payout.at), payout.amount.currency.alphabeticCode, "", payout.amount.text])
    }

    /// The file of the lines.
    var file: [UInt8] { framed(isAccount ? "账务明细" : "业务明细", lines) }

    var summary: [UInt8] { framed("汇总", Self.gbk("payments,refunds\r\n\(counts.payments),\(counts.refunds)\r\n")) }

    private func framed(_ title: String, _ lines: [UInt8]) -> [UInt8] {
        Self.gbk("#\(title)：\(merchant)，\(period)\r\n") + lines + Self.gbk("#结束\r\n")
    }

    private mutating func move(
        _ trade: Trade, as kind: String, at: String, amount: Amount, isIncome: Bool
    ) throws(AlipayServerError) {
        guard !amount.isZero else { return }
        try line([
            trade.tradeNo, trade.outTradeNo, kind, at, amount.currency.alphabeticCode, isIncome ? amount.text : "",
            isIncome ? "" : amount.text,
        ])
    }

    /// Quoted where it has to be. A leading character that a spreadsheet would calculate with is kept from its start by a tab.
    private mutating func line(_ values: [String]) throws(AlipayServerError) {
        let text = values.map { value in
            let bytes = value.utf8
            let isNegative = bytes.first == UInt8(ascii: "-") && bytes.dropFirst().first.map { (0x30...0x39).contains($0) } == true
            let isFormula = bytes.first.map { "=+-@".utf8.contains($0) && !isNegative } ?? false
            let text = isFormula ? "\t" + value : value
            // By bytes: a comma with a combining mark behind it is a comma to whoever reads the file.
            guard text.utf8.contains(where: { ",\"".utf8.contains($0) || $0 < 0x20 }) || text.contains(where: \.isNewline) else {
                return text
            }
            let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
            return "\"\(String(String.UnicodeScalarView(doubled)))\""
        }.joined(separator: ",")
        lines += Self.gbk(text + "\r\n")
        guard lines.count <= limit else {
            throw AlipayServerError(code: .billTooLarge, reason: "the bill has more than \(limit) bytes: ask for shorter times")
        }
    }

    /// GBK, with `?` for what it cannot carry.
    private static func gbk(_ text: String) -> [UInt8] {
        if let bytes = try? AlipayCharset.gbk.encode(text) { return bytes }
        return text.flatMap { (try? AlipayCharset.gbk.encode(String($0))) ?? [UInt8(ascii: "?")] }
    }
}
