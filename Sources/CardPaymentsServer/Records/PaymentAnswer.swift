import BillfoldPayments
import BillfoldStorage

/// The answer to a payment, as it is stored under its idempotency key.
struct PaymentAnswer: Codable, Sendable, Hashable {
    enum Sheet: String, Codable, Sendable, Hashable {
        case success
        case failure
        /// Nobody knows yet: the app chooses what it shows, and asks for the order's state.
        case pending
    }

    var payment: PaymentView
    /// What the sheet is to show.
    var sheet: Sheet
    var errors: [FieldError]
}

extension PaymentAnswer {
    init(to payment: Payment, policy: CardPaymentsConfiguration.PendingPolicy) {
        // What is to be given back is not to be delivered, whatever was taken meanwhile.
        let isToBeUndone = payment.standing.isToBeUndone
        let sheet: Sheet =
            switch payment.state {
            case _ where isToBeUndone: .failure
            case .succeeded, .partlyRefunded, .refunded: .success
            case .failed, .reversed, .closed: .failure
            case .created, .authorised, .submitted, .accepted, .unknown:
                switch policy {
                case .acceptPending: .success
                case .failAndReverse: .failure
                case .tellPending: .pending
                }
            }
        self.init(
            payment: PaymentView(
                id: payment.id.description, state: (isToBeUndone ? PaymentState.unknown : payment.state).rawValue, reason: payment.reason),
            sheet: sheet, errors: [])
    }
}

struct PaymentView: Codable, Sendable, Hashable {
    var id: String
    var state: String
    var reason: String?
}
