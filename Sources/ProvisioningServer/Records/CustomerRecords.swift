import BillfoldPayments
import BillfoldStorage
import CustomerLanguages

/// How a customer wants to be told, as the bank says it.
struct CustomerPreferences: Sendable, Hashable {
    var language: CustomerLanguage
    /// What becomes of the customer's cards in devices.
    var wantsCardMessages: Bool
    /// What is paid with them.
    var wantsTransactionMessages: Bool

    /// Of whom the bank said nothing: consent to news of payments is given, never assumed.
    static let unsaid = Self(language: .english, wantsCardMessages: true, wantsTransactionMessages: false)
}

/// The rows of how customers want to be told.
enum CustomerRecords {
    static let migration = Migration(
        "bank-0004-customers",
        [
            """
            CREATE TABLE bank_customers (
                customer TEXT NOT NULL PRIMARY KEY, language TEXT NOT NULL, card_messages BIGINT NOT NULL,
                transaction_messages BIGINT NOT NULL, at BIGINT NOT NULL)
            """
        ])

    static func preferences(of customer: String, in tx: any Transaction) throws -> CustomerPreferences {
        let row = try tx.query(
            "SELECT language, card_messages, transaction_messages FROM bank_customers WHERE customer = ?", [.text(customer)]
        ).first
        guard let row else { return .unsaid }
        return CustomerPreferences(
            language: try row.named(0), wantsCardMessages: try row.integer(1) == 1, wantsTransactionMessages: try row.integer(2) == 1)
    }

    static func set(_ preferences: CustomerPreferences, of customer: String, at now: Timestamp, in tx: any Transaction) throws {
        let bindings: [SQLValue] = [
            .text(preferences.language.rawValue), .integer(preferences.wantsCardMessages ? 1 : 0),
            .integer(preferences.wantsTransactionMessages ? 1 : 0), .integer(now.microseconds), .text(customer),
        ]
        let isNew =
            try tx.execute(
                """
                INSERT INTO bank_customers (language, card_messages, transaction_messages, at, customer) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, bindings) == 1
        guard !isNew else { return }
        try tx.execute(
            "UPDATE bank_customers SET language = ?, card_messages = ?, transaction_messages = ?, at = ? WHERE customer = ?", bindings)
    }
}
