import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CustomerLanguages

/// How the bank's customers are told of their cards and payments.
struct CustomerService: Sendable {
    /// The operation of its idempotency keys.
    static let operation = "POST /bank/v1/card-transactions"
    /// News that is older helps nobody, and a transaction that is told again after its key was forgotten is older.
    private static let freshness = Duration.seconds(86_400)

    let context: TokenContext

    func preferences(of customer: String) async throws -> CustomerPreferences {
        try await context.database.read { try CustomerRecords.preferences(of: customer, in: $0) }
    }

    /// Doing it again changes nothing.
    func set(_ preferences: CustomerPreferences, of customer: String) async throws {
        let now = context.now()
        try await context.database.writeRepeatably { tx in
            guard try CustomerRecords.preferences(of: customer, in: tx) != preferences else { return }
            try CustomerRecords.set(preferences, of: customer, at: now, in: tx)
            try context.audit(
                "customer.preferences", on: "customer \(customer)", by: CardEventService.actor,
                because: "\(preferences.language.rawValue), cards \(preferences.wantsCardMessages ? "yes" : "no"), "
                    + "transactions \(preferences.wantsTransactionMessages ? "yes" : "no")", at: now, in: tx)
        }
    }

    struct CardTransaction: Sendable, Hashable {
        /// The bank's name for it.
        var id: String
        var card: String
        var merchant: String
        var amount: Amount
        var occurredAt: Timestamp
    }

    struct Answer: Encodable {
        enum Message: String, Encodable {
            case queued
            /// The customer did not agree to be told of payments.
            case notWanted = "not-wanted"
            /// It happened more than a day ago.
            case tooLate = "too-late"
        }

        var transactionId: String
        var card: String
        var message: Message
    }

    /// Tells a customer what was paid with a card, once for each transaction and where the customer agreed to be told.
    ///
    /// - Returns: The answer as it is stored, and whether it was given before.
    /// - Throws: `card-not-found`, `request-reused`.
    func tell(_ transaction: CardTransaction) async throws -> (answer: [UInt8], isRepeated: Bool) {
        let now = context.now()
        let keyed = KeyedRequest(
            try IdempotencyKey(caller: CardEventService.actor, operation: Self.operation, key: transaction.id),
            fingerprint: RequestFingerprint(texts: [
                transaction.card, transaction.merchant, transaction.amount.description, String(transaction.occurredAt.microseconds),
            ]), at: now)
        let decided = try await context.database.decideOnce(keyed) { tx in
            guard let card = try CardRecords.find(transaction.card, in: tx) else { throw CustomerCards.notFound }
            let preferences = try CustomerRecords.preferences(of: card.customer, in: tx)
            var message = Answer.Message.queued
            if transaction.occurredAt < now.advanced(by: .zero - Self.freshness) {
                message = .tooLate
            } else if !preferences.wantsTransactionMessages {
                message = .notWanted
            } else {
                let text = NoticeTexts.payment(
                    of: transaction.amount.description, to: transaction.merchant, in: preferences.language, card: card.suffix)
                try TokenMessages(context: context).queue(
                    .init(
                        card: card.id, token: nil, text: text, language: preferences.language.rawValue, subject: TokenMessages.transaction),
                    at: now, in: tx)
            }
            let bytes = try JSONDocument.encode(Answer(transactionId: transaction.id, card: card.id, message: message))
            return (bytes, bytes)
        }
        switch decided {
        case .now(let answer): return (answer, false)
        case .before(.finished(let answer)): return (answer, true)
        case .before: throw ProvisioningError(code: .requestReused, reason: "this id was used for another transaction")
        }
    }
}
