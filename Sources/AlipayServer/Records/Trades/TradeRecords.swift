import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of trades. A merchant's number stands for one trade for ever.
enum TradeRecords {
    static let migration = Migration(
        "alipay-0004-trades",
        [
            """
            CREATE TABLE alipay_trades (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, trade_no TEXT NOT NULL, out_trade_no TEXT NOT NULL, order_id $BLOB NOT NULL,
                product TEXT NOT NULL, status TEXT NOT NULL, version BIGINT NOT NULL, wallet TEXT NOT NULL, buyer_id TEXT NOT NULL,
                buyer_logon TEXT NOT NULL, price BIGINT NOT NULL, price_currency TEXT NOT NULL, payable BIGINT NOT NULL,
                settlement BIGINT NOT NULL, settlement_currency TEXT NOT NULL, fee BIGINT NOT NULL, rate TEXT, rate_source TEXT,
                refunded_price BIGINT NOT NULL, refunded_payable BIGINT NOT NULL, refunded_settlement BIGINT NOT NULL,
                refunded_fee BIGINT NOT NULL, payment_request TEXT, funds $BLOB NOT NULL, created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, paid_at BIGINT, refunded_at BIGINT, closed_at BIGINT, updated_at BIGINT NOT NULL,
                audit_sequence BIGINT NOT NULL, audit_hash $BLOB NOT NULL, PRIMARY KEY (merchant, id))
            """,
            "CREATE UNIQUE INDEX alipay_trades_by_order ON alipay_trades (merchant, out_trade_no)",
            "CREATE UNIQUE INDEX alipay_trades_by_number ON alipay_trades (trade_no)",
            "CREATE INDEX alipay_trades_paid ON alipay_trades (merchant, paid_at, id) WHERE paid_at IS NOT NULL",
            "CREATE INDEX alipay_trades_of_wallet ON alipay_trades (wallet, paid_at) WHERE paid_at IS NOT NULL",
        ])

    /// A wallet's books are read in pages.
    static let walletMigration = Migration(
        "alipay-0011-trades-of-wallet",
        [
            "DROP INDEX alipay_trades_of_wallet",
            "CREATE INDEX alipay_trades_of_wallet ON alipay_trades (wallet, paid_at, id) WHERE paid_at IS NOT NULL",
        ])

    private static let columns = """
        merchant, id, trade_no, out_trade_no, order_id, product, status, version, wallet, buyer_id, buyer_logon, price, price_currency, \
        payable, settlement, settlement_currency, fee, rate, rate_source, refunded_price, refunded_payable, refunded_settlement, \
        refunded_fee, payment_request, funds, created_at, expires_at, paid_at, refunded_at, closed_at, updated_at, audit_sequence, audit_hash
        """

    private static let insertion = """
        INSERT INTO alipay_trades (\(columns)) VALUES (\(Array(repeating: "?", count: 33).joined(separator: ", "))) ON CONFLICT DO NOTHING
        """

    /// Most trades are read and written before anybody has paid.
    private static let noFunds = Array("[]".utf8)

    private static func document(_ funds: [Trade.Fund]) throws -> [UInt8] { funds.isEmpty ? noFunds : try JSONDocument.encode(funds) }

    private static func funds(_ bytes: [UInt8]) throws -> [Trade.Fund] {
        bytes == noFunds ? [] : try JSONDocument.decode([Trade.Fund].self, bytes)
    }

    /// Returns false where the merchant's number, or ours, is taken.
    static func insert(_ trade: Trade, in tx: any Transaction) throws -> Bool {
        let bindings: [SQLValue] = [
            trade.merchant.sqlValue, trade.id.sqlValue, .text(trade.tradeNo), .text(trade.outTradeNo), trade.order.sqlValue,
            .text(trade.product.rawValue), .text(trade.status.rawValue), .integer(trade.version), .text(trade.wallet),
            .text(trade.buyer.id), .text(trade.buyer.logonID), .integer(trade.money.price.minorUnits),
            .text(trade.money.price.currency.alphabeticCode), .integer(trade.money.payable.minorUnits),
            .integer(trade.money.settlement.minorUnits), .text(trade.money.settlement.currency.alphabeticCode),
            .integer(trade.money.fee.minorUnits), .optional(trade.money.rate?.rate.description), .optional(trade.money.rate?.source),
            .integer(trade.refunded.price), .integer(trade.refunded.payable), .integer(trade.refunded.settlement),
            .integer(trade.refunded.fee), .optional(trade.paymentRequest), .blob(try document(trade.funds)),
            .integer(trade.createdAt.microseconds), .integer(trade.expiresAt.microseconds), .optional(trade.paidAt),
            .optional(trade.refundedAt), .optional(trade.closedAt), .integer(trade.updatedAt.microseconds),
            .integer(trade.auditHead.sequence), .blob(trade.auditHead.hash),
        ]
        return try tx.execute(insertion, bindings) == 1
    }

    /// Stores what changed, if nobody changed the trade in between. `version` counts up.
    static func update(_ trade: Trade, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_trades SET order_id = ?, status = ?, version = version + 1, refunded_price = ?, refunded_payable = ?, refunded_settlement = ?,
                refunded_fee = ?, payment_request = ?, funds = ?, paid_at = ?, refunded_at = ?, closed_at = ?, updated_at = ?,
                audit_sequence = ?, audit_hash = ?
            WHERE merchant = ? AND id = ? AND version = ?
            """,
            [
                trade.order.sqlValue, .text(trade.status.rawValue), .integer(trade.refunded.price),
                .integer(trade.refunded.payable), .integer(trade.refunded.settlement), .integer(trade.refunded.fee),
                .optional(trade.paymentRequest), .blob(try document(trade.funds)), .optional(trade.paidAt),
                .optional(trade.refundedAt), .optional(trade.closedAt),
                .integer(trade.updatedAt.microseconds), .integer(trade.auditHead.sequence), .blob(trade.auditHead.hash),
                trade.merchant.sqlValue, trade.id.sqlValue, .integer(trade.version),
            ]) == 1
    }

    /// Stores whose customer the buyer is, if nobody changed the trade in between. `version` counts up.
    static func adopt(_ trade: Trade, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_trades SET wallet = ?, buyer_logon = ?, version = version + 1, updated_at = ?, audit_sequence = ?, audit_hash = ?
            WHERE merchant = ? AND id = ? AND version = ?
            """,
            [
                .text(trade.wallet), .text(trade.buyer.logonID), .integer(trade.updatedAt.microseconds),
                .integer(trade.auditHead.sequence), .blob(trade.auditHead.hash), trade.merchant.sqlValue, trade.id.sqlValue,
                .integer(trade.version),
            ]) == 1
    }

    static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Trade? {
        try trades("WHERE merchant = ? AND id = ?", [merchant.sqlValue, id.sqlValue], in: tx).first
    }

    static func find(outTradeNo: String, merchant: MerchantID, in tx: any Transaction) throws -> Trade? {
        try trades("WHERE merchant = ? AND out_trade_no = ?", [merchant.sqlValue, .text(outTradeNo)], in: tx).first
    }

    static func find(tradeNo: String, in tx: any Transaction) throws -> Trade? {
        try trades("WHERE trade_no = ?", [.text(tradeNo)], in: tx).first
    }

    /// A merchant's trades that were paid in a time, in that order, from behind one of them on.
    static func paid(
        _ merchant: MerchantID, in time: Range<Timestamp>, after last: Trade? = nil, limit: Int, in tx: any Transaction
    ) throws -> [Trade] {
        let from = last?.paidAt ?? time.lowerBound
        var bindings: [SQLValue] = [merchant.sqlValue, .integer(from.microseconds), .integer(time.upperBound.microseconds)]
        if let last { bindings += [.integer(from.microseconds), last.id.sqlValue] }
        bindings.append(.integer(Int64(limit)))
        let behind = last == nil ? "" : " AND (paid_at > ? OR id > ?)"
        return try trades("WHERE merchant = ? AND paid_at >= ? AND paid_at < ?\(behind) ORDER BY paid_at, id LIMIT ?", bindings, in: tx)
    }

    /// What a wallet's customers paid in a time, in that order, from behind a place on.
    static func paid(
        wallet: String, in time: Range<Timestamp>, after place: BookPlace?, limit: Int, in tx: any Transaction
    ) throws -> [Trade] {
        let from = place?.at ?? time.lowerBound
        var bindings: [SQLValue] = [.text(wallet), .integer(from.microseconds), .integer(time.upperBound.microseconds)]
        if let place { bindings += [.integer(from.microseconds), place.id.sqlValue] }
        bindings.append(.integer(Int64(limit)))
        let behind = place == nil ? "" : " AND (paid_at > ? OR id > ?)"
        return try trades("WHERE wallet = ? AND paid_at >= ? AND paid_at < ?\(behind) ORDER BY paid_at, id LIMIT ?", bindings, in: tx)
    }

    /// A merchant's trades, the last made first.
    static func latest(_ merchant: MerchantID, limit: Int, in tx: any Transaction) throws -> [Trade] {
        try trades("WHERE merchant = ? ORDER BY id DESC LIMIT ?", [merchant.sqlValue, .integer(Int64(limit))], in: tx)
    }

    static func trades(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [Trade] {
        try tx.query("SELECT \(columns) FROM alipay_trades \(condition)", bindings).map(read)
    }

    private static func read(_ row: Row) throws -> Trade {
        let priceCurrency = try Currency(row.text(12))
        let settlementCurrency = try Currency(row.text(15))
        let yuan = try Currency("CNY")
        let rate = try row.optionalText(17).map { text in
            try ExchangeRate(
                base: settlementCurrency, quote: yuan, rate: ExactDecimal(text), source: try row.optionalText(18) ?? "")
        }
        return Trade(
            merchant: try MerchantID(row.text(0)), id: try row.timeOrderedID(1), tradeNo: try row.text(2), outTradeNo: try row.text(3),
            order: try row.timeOrderedID(4), status: try row.known(6), product: try row.known(5), version: try row.integer(7),
            wallet: try row.text(8), buyer: .init(id: try row.text(9), logonID: try row.text(10)),
            money: TradeMoney(
                price: Amount(minorUnits: try row.integer(11), currency: priceCurrency),
                payable: Amount(minorUnits: try row.integer(13), currency: yuan),
                settlement: Amount(minorUnits: try row.integer(14), currency: settlementCurrency),
                fee: Amount(minorUnits: try row.integer(16), currency: settlementCurrency), rate: rate),
            refunded: .init(
                price: try row.integer(19), payable: try row.integer(20), settlement: try row.integer(21), fee: try row.integer(22)),
            paymentRequest: try row.optionalText(23), funds: try funds(row.blob(24)),
            createdAt: try row.timestamp(25), expiresAt: try row.timestamp(26), paidAt: try row.optionalTimestamp(27),
            refundedAt: try row.optionalTimestamp(28), closedAt: try row.optionalTimestamp(29), updatedAt: try row.timestamp(30),
            auditHead: AuditHead(sequence: try row.integer(31), hash: try row.blob(32)))
    }
}
