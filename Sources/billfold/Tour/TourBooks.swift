import Foundation

// The tour reads both parties' books from their JSON, as a stranger would, and shares no code with what writes it, nor do the
// two writers share any: what both sides of a comparison have in common could be wrong on both, and they would still agree.

/// The merchant's view of its payments, as `GET /v1/payments/{id}` and `GET /v1/books` tell it.
struct MerchantPayment: Sendable, Decodable {
    struct Modification: Sendable, Decodable {
        var id: String
        var payment: String
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

/// An order as `GET /v1/orders/{id}` tells it.
struct MerchantOrder: Sendable, Decodable {
    struct Item: Sendable, Hashable, Decodable {
        var label: String
        var amount: String
    }

    var id: String
    var reference: String
    var state: String
    var currency: String
    var country: String
    var merchantName: String
    /// The lines, tax and shipping, and last the total.
    var items: [Item]
    var total: String
}

struct MerchantBooks: Sendable, Decodable {
    /// On the first page.
    var balanced: Bool?
    var payments: [MerchantPayment]
    private var next: String?

    /// The books of the last 24 hours, with the payments of all pages.
    static func read(from merchant: String, key: String) async throws -> MerchantBooks {
        var books = try await TourClient.get("\(merchant)/v1/books", key: key).read(MerchantBooks.self)
        while let next = books.next {
            let page = try await TourClient.get("\(merchant)/v1/books?cursor=\(next)", key: key).read(MerchantBooks.self)
            books.payments += page.payments
            books.next = page.next
        }
        return books
    }

    /// What moved money: payments that succeeded, and refunds that did.
    var transactions: [ComparedTransaction] {
        payments.flatMap { payment -> [ComparedTransaction] in
            guard let reference = payment.acquirerReference else { return [] }
            let refunds = payment.modifications.filter { $0.kind == "refund" && $0.state == "succeeded" }.map {
                ComparedTransaction(kind: .refund, reference: reference, amount: $0.amount, currency: $0.currency)
            }
            return [ComparedTransaction(kind: .payment, reference: reference, amount: payment.amount, currency: payment.currency)] + refunds
        }
    }
}

/// The acquirer's books of a day, as `GET /unionpay/control/books` tells them.
struct UnionPayDayBooks: Sendable, Decodable {
    struct Entry: Sendable, Decodable {
        var queryId: String
        var type: String
        var amount: String
        var currency: String
        var originalQueryId: String?
        var standing: String
    }

    var entries: [Entry]

    var transactions: [ComparedTransaction] {
        entries.compactMap { entry in
            switch entry.type {
            case "consume": ComparedTransaction(kind: .payment, reference: entry.queryId, amount: entry.amount, currency: entry.currency)
            case "refund":
                entry.originalQueryId.map {
                    ComparedTransaction(kind: .refund, reference: $0, amount: entry.amount, currency: entry.currency)
                }
            default: nil
            }
        }
    }
}

/// What became of the acquirer's notifications, as `GET /unionpay/control/orders` tells it.
struct AcquirerOrders: Sendable, Decodable {
    struct Order: Sendable, Decodable {
        struct Notification: Sendable, Decodable {
            /// `waiting`, `acknowledged` or `given-up`.
            var state: String
            var attempts: Int
            var status: Int?
        }
        var notifications: [Notification]
    }
    var orders: [Order]
}

struct ReconciliationCounts: Sendable, Decodable {
    var settlementDay: String
    var classes: [String: Int]
}
