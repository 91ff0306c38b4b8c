/// One payment or refund as one side's books have it.
struct ComparedTransaction: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable, Hashable {
        case payment
        case refund
    }

    var kind: Kind
    /// The acquirer's reference of the payment, which both sides know: of the payment itself, or of the one that is refunded.
    var reference: String
    /// Decimal text in major units with the currency's exact minor digits.
    var amount: String
    /// Alphabetic.
    var currency: String

    var description: String { "\(kind.rawValue) of \(amount) \(currency) under \(reference)" }
}

/// Compares what the merchant's books say with what the acquirer's say.
enum BooksComparison {
    /// Every difference, in words; empty where each transaction is booked equally often on both sides.
    static func differences(merchant: [ComparedTransaction], acquirer: [ComparedTransaction]) -> [String] {
        let ours = Dictionary(merchant.map { ($0, 1) }, uniquingKeysWith: +)
        let theirs = Dictionary(acquirer.map { ($0, 1) }, uniquingKeysWith: +)
        return Set(ours.keys).union(theirs.keys).map { transaction -> (String, Int, Int) in
            (transaction.description, ours[transaction] ?? 0, theirs[transaction] ?? 0)
        }.filter { $0.1 != $0.2 }.sorted { $0.0 < $1.0 }.map { description, our, their in
            "\(description): booked \(our) times by the merchant, \(their) times by the acquirer"
        }
    }
}
