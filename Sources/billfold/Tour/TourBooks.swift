import Foundation

/// The merchant's view of its payments, as `GET /v1/payments/{id}` and `GET /v1/books` tell it.
struct MerchantPayment: Sendable, Decodable {
    struct Modification: Sendable, Decodable {
        var id: String
        var kind: String
        var state: String
        var amount: String
        var currency: String
        var settlementDay: String?
    }

    var id: String
    var order: String
    var state: String
    var reason: String?
    var amount: String
    var currency: String
    var acquirerReference: String?
    var settlementDay: String?
    var alarm: String?
    var modifications: [Modification]
}

struct MerchantBooks: Sendable, Decodable {
    var balanced: Bool
    var payments: [MerchantPayment]

    /// What moved money: payments that succeeded, and refunds that did.
    var transactions: [BookedTransaction] {
        payments.flatMap { payment -> [BookedTransaction] in
            guard let reference = payment.acquirerReference else { return [] }
            let refunds = payment.modifications.filter { $0.kind == "refund" && $0.state == "succeeded" }.map {
                BookedTransaction(kind: .refund, reference: reference, amount: $0.amount, currency: $0.currency)
            }
            return [BookedTransaction(kind: .payment, reference: reference, amount: payment.amount, currency: payment.currency)] + refunds
        }
    }
}

/// The acquirer's books of a day, as `GET /unionpay/control/books` tells them.
struct AcquirerBooks: Sendable, Decodable {
    struct Entry: Sendable, Decodable {
        var queryId: String
        var type: String
        var amount: String
        var currency: String
        var originalQueryId: String?
        var standing: String
    }

    var entries: [Entry]

    var transactions: [BookedTransaction] {
        entries.compactMap { entry in
            switch entry.type {
            case "consume": BookedTransaction(kind: .payment, reference: entry.queryId, amount: entry.amount, currency: entry.currency)
            case "refund":
                entry.originalQueryId.map {
                    BookedTransaction(kind: .refund, reference: $0, amount: entry.amount, currency: entry.currency)
                }
            default: nil
            }
        }
    }
}

struct Reconciliation: Sendable, Decodable {
    var settlementDay: String
    var classes: [String: Int]
}
