import BillfoldStorage
import Foundation
import UnionPay

/// The gateway's tables. All rows belong to one merchant, whose number starts each key.
enum UnionPayGatewayRecords {
    static let migrations = [
        Migration(
            "unionpaygateway-0001-books",
            [
                """
                CREATE TABLE unionpay_merchant (mer_id TEXT NOT NULL, key_id TEXT NOT NULL, kind TEXT NOT NULL, material TEXT NOT NULL,
                registered_at BIGINT NOT NULL, PRIMARY KEY (mer_id, key_id))
                """,
                """
                CREATE TABLE unionpay_transaction (mer_id TEXT NOT NULL, order_id TEXT NOT NULL, txn_time TEXT NOT NULL,
                query_id TEXT NOT NULL, type TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, code TEXT NOT NULL,
                standing TEXT NOT NULL, original TEXT, echo TEXT NOT NULL, back_url TEXT, settlement_day TEXT NOT NULL,
                trace_number TEXT NOT NULL, fee BIGINT NOT NULL, plan TEXT NOT NULL, queries BIGINT NOT NULL, late_at BIGINT,
                booked_at BIGINT NOT NULL, PRIMARY KEY (mer_id, order_id, txn_time))
                """,
                "CREATE UNIQUE INDEX unionpay_transaction_query_id ON unionpay_transaction (mer_id, query_id)",
                "CREATE INDEX unionpay_transaction_original ON unionpay_transaction (mer_id, original)",
                "CREATE INDEX unionpay_transaction_day ON unionpay_transaction (mer_id, settlement_day)",
                "CREATE TABLE unionpay_plan (scope TEXT NOT NULL PRIMARY KEY, plan TEXT NOT NULL)",
                "CREATE TABLE unionpay_authority (name TEXT NOT NULL PRIMARY KEY, key_pem TEXT NOT NULL, certificate_pem TEXT NOT NULL)",
                """
                CREATE TABLE unionpay_notification (mer_id TEXT NOT NULL, id $BLOB NOT NULL, order_id TEXT NOT NULL, txn_time TEXT NOT NULL,
                url TEXT NOT NULL, fields TEXT NOT NULL, due_at BIGINT NOT NULL, attempt BIGINT NOT NULL, state TEXT NOT NULL,
                status BIGINT, PRIMARY KEY (mer_id, id))
                """,
                "CREATE INDEX unionpay_notification_due ON unionpay_notification (state, due_at)",
            ])
    ]

    // MARK: Transactions

    private static let columns = """
        mer_id, order_id, txn_time, query_id, type, amount, currency, code, standing, original, echo, back_url, settlement_day, \
        trace_number, fee, plan, queries, late_at, booked_at
        """

    static func insert(_ row: UnionPayGatewayTransaction, in transaction: any Transaction) throws -> Bool {
        let inserted = try transaction.execute(
            "INSERT INTO unionpay_transaction (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                .text(row.key.merchant.description), .text(row.key.order.description), .text(row.key.time.description),
                .text(row.queryID.description), .text(row.type.rawValue), .integer(row.amount), .text(row.currency), .text(row.code),
                .text(row.standing.rawValue), row.original.map { .text($0.description) } ?? .null, .text(try json(row.echo)),
                .optional(row.backURL), .text(row.settlementDay), .text(row.traceNumber), .integer(row.fee),
                .text(try json(row.plan)), .integer(row.queries), .optional(row.lateAt),
                .integer(row.bookedAt.microseconds),
            ])
        return inserted == 1
    }

    static func find(_ key: TransactionKey, in transaction: any Transaction) throws -> UnionPayGatewayTransaction? {
        try transaction.query(
            "SELECT \(columns) FROM unionpay_transaction WHERE mer_id = ? AND order_id = ? AND txn_time = ?",
            [.text(key.merchant.description), .text(key.order.description), .text(key.time.description)]
        ).first.map(read)
    }

    static func find(_ queryID: QueryID, of merchant: MerchantID, in transaction: any Transaction) throws -> UnionPayGatewayTransaction? {
        try transaction.query(
            "SELECT \(columns) FROM unionpay_transaction WHERE mer_id = ? AND query_id = ?",
            [.text(merchant.description), .text(queryID.description)]
        ).first.map(read)
    }

    /// Whether the order number was used on this settlement day, under whatever time.
    static func isUsed(_ order: OrderID, on day: String, by merchant: MerchantID, in transaction: any Transaction) throws -> Bool {
        try !transaction.query(
            "SELECT order_id FROM unionpay_transaction WHERE mer_id = ? AND order_id = ? AND settlement_day = ?",
            [.text(merchant.description), .text(order.description), .text(day)]
        ).isEmpty
    }

    static func undoing(_ original: QueryID, of merchant: MerchantID, in transaction: any Transaction) throws
        -> [UnionPayGatewayTransaction]
    {
        try transaction.query(
            "SELECT \(columns) FROM unionpay_transaction WHERE mer_id = ? AND original = ? ORDER BY booked_at, query_id",
            [.text(merchant.description), .text(original.description)]
        ).map(read)
    }

    static func list(_ merchant: MerchantID?, day: String?, in transaction: any Transaction) throws -> [UnionPayGatewayTransaction] {
        var conditions: [String] = []
        var bindings: [SQLValue] = []
        if let merchant {
            conditions.append("mer_id = ?")
            bindings.append(.text(merchant.description))
        }
        if let day {
            conditions.append("settlement_day = ?")
            bindings.append(.text(day))
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return try transaction.query(
            "SELECT \(columns) FROM unionpay_transaction\(condition) ORDER BY booked_at, mer_id, query_id", bindings
        ).map(read)
    }

    static func set(_ standing: UnionPayGatewayTransaction.Standing, of key: TransactionKey, in transaction: any Transaction) throws {
        try transaction.execute(
            "UPDATE unionpay_transaction SET standing = ? WHERE mer_id = ? AND order_id = ? AND txn_time = ?",
            [
                .text(standing.rawValue), .text(key.merchant.description), .text(key.order.description), .text(key.time.description),
            ])
    }

    static func countQuery(of key: TransactionKey, in transaction: any Transaction) throws {
        try transaction.execute(
            "UPDATE unionpay_transaction SET queries = queries + 1 WHERE mer_id = ? AND order_id = ? AND txn_time = ?",
            [.text(key.merchant.description), .text(key.order.description), .text(key.time.description)])
    }

    private static func read(_ row: Row) throws -> UnionPayGatewayTransaction {
        guard let type = TransactionType(rawValue: try row.text(4)),
            let standing = UnionPayGatewayTransaction.Standing(rawValue: try row.text(8))
        else { throw SandboxError(code: .stateUnusable, reason: "a booked transaction has an unknown type or standing") }
        return UnionPayGatewayTransaction(
            key: TransactionKey(
                merchant: try MerchantID(row.text(0)), order: try OrderID(row.text(1)), time: try BeijingTime(row.text(2))),
            queryID: try QueryID(row.text(3)), type: type, amount: try row.integer(5), currency: try row.text(6), code: try row.text(7),
            standing: standing, original: try row.optionalText(9).map { try QueryID($0) },
            echo: try decode([String: String].self, row.text(10)), backURL: try row.optionalText(11), settlementDay: try row.text(12),
            traceNumber: try row.text(13), fee: try row.integer(14), plan: try decode(FaultPlan.self, row.text(15)),
            queries: try row.integer(16), lateAt: try row.optionalTimestamp(17),
            bookedAt: Timestamp(microseconds: try row.integer(18)))
    }

    // MARK: Plans

    static func setPlan(_ text: String, scope: String, in transaction: any Transaction) throws {
        try transaction.execute("DELETE FROM unionpay_plan WHERE scope = ?", [.text(scope)])
        try transaction.execute("INSERT INTO unionpay_plan (scope, plan) VALUES (?, ?)", [.text(scope), .text(text)])
    }

    static func planText(scope: String, in transaction: any Transaction) throws -> String? {
        try transaction.query("SELECT plan FROM unionpay_plan WHERE scope = ?", [.text(scope)]).first?.text(0)
    }

    /// The plan of an order: its own, or the one for the next order (which is used up), or the default.
    ///
    /// - Parameter shopOrder: The shop's own order, as the merchant names it in `reqReserved`: a plan can be set for it before
    ///   there is an order at the gateway.
    static func plan(for order: OrderID, of shopOrder: String?, in transaction: any Transaction) throws -> FaultPlan {
        for scope in ["order:\(order)"] + (shopOrder.map { ["order:\($0)"] } ?? []) + ["next", "default"] {
            guard let text = try planText(scope: scope, in: transaction) else { continue }
            if scope == "next" { try transaction.execute("DELETE FROM unionpay_plan WHERE scope = ?", [.text(scope)]) }
            return try decode(FaultPlanSource.self, text).plan(for: order.description)
        }
        return FaultPlan()
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
            throw SandboxError(code: .stateUnusable, reason: "a stored value cannot be read: \(error)")
        }
    }
}

/// A plan as it is set: given outright, or drawn from a seed for each order.
enum FaultPlanSource: Sendable, Codable {
    case given(FaultPlan)
    case seed(UInt64)

    private struct Seed: Codable { var seed: UInt64 }

    init(from decoder: any Decoder) throws {
        guard try decoder.container(keyedBy: AnyCodingKey.self).allKeys.contains(where: { $0.stringValue == "seed" }) else {
            self = .given(try FaultPlan(from: decoder))
            return
        }
        try decoder.refuseKeys(besides: ["seed"], of: "a seed")
        self = .seed(try Seed(from: decoder).seed)
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .given(let plan): try plan.encode(to: encoder)
        case .seed(let seed): try Seed(seed: seed).encode(to: encoder)
        }
    }

    func plan(for name: String) -> FaultPlan {
        switch self {
        case .given(let plan): plan
        case .seed(let seed): .drawn(seed: seed, for: name)
        }
    }
}
