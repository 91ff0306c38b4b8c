import BillfoldPayments
import BillfoldStorage

/// What is said of an id under which nothing of the wanted kind stands.
extension CardPaymentsService {
    /// What a merchant's id can stand for.
    enum Thing: String, Sendable {
        case order, payment, refund

        fileprivate var code: CardPaymentsError.Code {
            switch self {
            case .order: .orderNotFound
            case .payment: .paymentNotFound
            case .refund: .refundNotFound
            }
        }
    }

    /// An id that stands for another of the merchant's things is told so: it was taken from the wrong place. One that was given out and
    /// stands for nothing may be one of a payment that was sent, and its absence says nothing.
    func missing(_ text: String, as thing: Thing, merchant: MerchantProfile) async throws -> CardPaymentsError {
        let refusal = CardPaymentsError(code: thing.code, reason: "the merchant has no such \(thing)")
        guard let id = try? TimeOrderedID(text: text) else { return refusal }
        if let other = try await context.database.read({ try Self.meaning(of: id, merchant: merchant.id, in: $0) }) {
            return CardPaymentsError(code: thing.code, reason: "\(refusal.reason): \(other)")
        }
        return context.issued.haveIssued(id, to: merchant.id) ? .lost(thing.rawValue) : refusal
    }

    private static func meaning(of id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> String? {
        if try OrderRecords.find(id, merchant: merchant, in: tx) != nil {
            return "this is the id of an order; its payments are in GET /v1/orders/\(id)"
        }
        if let payment = try PaymentRecords.find(id, merchant: merchant, in: tx) {
            return "this is the id of a payment, of the order \(payment.order); its refunds are in GET /v1/payments/\(id)"
        }
        return try ModificationRecords.find(id, merchant: merchant, in: tx).map { other in
            "this is the id of a \(other.kind.rawValue) of the payment \(other.payment)"
        }
    }
}
