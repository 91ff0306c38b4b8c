public import BillfoldMoney

/// One of the merchant's own transactions, as its books have it, to be compared with the file.
public struct BookedTransaction: Sendable, Hashable {
    public var key: TransactionKey
    /// UnionPay's number, where a notification or query told it.
    public var queryID: QueryID?
    public var type: TransactionType
    public var amount: Amount
    /// The fee that the books expect; `nil` leaves it to the file.
    public var fee: Amount?

    public init(key: TransactionKey, queryID: QueryID?, type: TransactionType, amount: Amount, fee: Amount? = nil) {
        self.key = key
        self.queryID = queryID
        self.type = type
        self.amount = amount
        self.fee = fee
    }
}

/// What the comparison of books and file says, one result per transaction on either side.
public enum ReconciliationResult: Sendable, Hashable {
    case matched(BookedTransaction, DetailRecord)
    case amountDiffers(BookedTransaction, DetailRecord)
    /// The amounts agree and the fee does not.
    case feeDiffers(BookedTransaction, DetailRecord)
    /// UnionPay does not have it: it may settle on a later day, or it never happened.
    case oursOnly(BookedTransaction)
    /// Money moved that the books do not know: a payment that a time-out turned into a failure looks like this.
    case theirsOnly(DetailRecord)
}

/// Compares the merchant's books with UnionPay's detail file.
public enum Reconciliation {
    /// Matches on `queryId`, then on `merId`, `orderId` and the time; each line of the file is used once.
    ///
    /// The result lists the books in their order, then what only the file has, in its order.
    public static func match(
        books: [BookedTransaction], file: [DetailRecord], currency: Currency
    ) throws(UnionPayError) -> [ReconciliationResult] {
        var used = [Bool](repeating: false, count: file.count)
        var byQueryID: [String: [Int]] = [:]
        var byKey: [String: [Int]] = [:]
        for (index, record) in file.enumerated() {
            if !record[.queryID].isEmpty { byQueryID[record[.queryID], default: []].append(index) }
            byKey[key(record), default: []].append(index)
        }
        var partner = [Int?](repeating: nil, count: books.count)
        // All matches by number come first, so that none loses its line to a weaker match.
        for (position, booked) in books.enumerated() {
            guard let queryID = booked.queryID, let index = byQueryID[queryID.description]?.first(where: { !used[$0] }) else { continue }
            used[index] = true
            partner[position] = index
        }
        for (position, booked) in books.enumerated() where partner[position] == nil {
            let isFree = { (index: Int) in
                !used[index] && (booked.queryID == nil || file[index][.queryID].isEmpty)
                    && (file[index][.transactionType].isEmpty || file[index][.transactionType] == booked.type.rawValue)
            }
            guard let index = byKey[key(booked)]?.first(where: isFree) else { continue }
            used[index] = true
            partner[position] = index
        }
        var results: [ReconciliationResult] = []
        for (position, booked) in books.enumerated() {
            guard let index = partner[position] else {
                results.append(.oursOnly(booked))
                continue
            }
            results.append(try compare(booked, file[index], in: currency))
        }
        for index in file.indices where !used[index] { results.append(.theirsOnly(file[index])) }
        return results
    }

    private static func compare(
        _ booked: BookedTransaction, _ record: DetailRecord, in currency: Currency
    ) throws(UnionPayError) -> ReconciliationResult {
        guard try record.amount(in: currency) == booked.amount else { return .amountDiffers(booked, record) }
        if let expected = booked.fee, try record.fee(in: currency) != expected { return .feeDiffers(booked, record) }
        return .matched(booked, record)
    }

    private static func key(_ record: DetailRecord) -> String {
        "\(record[.merchantID])/\(record[.orderID])/\(record[.transactionTime])"
    }

    private static func key(_ booked: BookedTransaction) -> String {
        // The column for the order number holds 32 bytes, and an order number may have 40.
        "\(booked.key.merchant)/\(booked.key.order.description.prefix(32))/\(booked.key.time.withoutYear)"
    }
}
