import BillfoldEvents
import BillfoldPayments
import BillfoldStorage

/// The tables of card payments, beside those of the payment books: API keys, used tokens, and what a settlement file said.
enum CardPaymentsSchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            Migration(
                "cards-0001-api-keys",
                [
                    """
                    CREATE TABLE card_api_keys (
                        key_hash $BLOB NOT NULL PRIMARY KEY, merchant TEXT NOT NULL, label TEXT NOT NULL, created_at BIGINT NOT NULL,
                        revoked_at BIGINT)
                    """
                ]),
            Migration(
                "cards-0002-tokens",
                [
                    """
                    CREATE TABLE card_tokens (
                        merchant TEXT NOT NULL, transaction_id TEXT NOT NULL, payment $BLOB NOT NULL, order_id $BLOB NOT NULL,
                        fingerprint $BLOB NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (merchant, transaction_id))
                    """
                ]),
            Migration(
                "cards-0003-reconciliation",
                [
                    """
                    CREATE TABLE card_reconciliation (
                        merchant TEXT NOT NULL, settlement_day TEXT NOT NULL, line BIGINT NOT NULL, class TEXT NOT NULL, kind TEXT NOT NULL,
                        subject TEXT, acquirer_reference TEXT, acquirer_order TEXT, booked BIGINT, filed BIGINT, fee BIGINT, at BIGINT NOT NULL,
                        PRIMARY KEY (merchant, settlement_day, line))
                    """
                ]),
            Migration(
                "cards-0004-pushed-orders",
                [
                    """
                    CREATE TABLE card_pushed_orders (
                        merchant TEXT NOT NULL, payment $BLOB NOT NULL, number TEXT NOT NULL, at BIGINT NOT NULL,
                        PRIMARY KEY (merchant, payment))
                    """
                ]),
        ] + EventsSchema.migrations(of: "cards", from: 5, runsWith: "cards-0004-pushed-orders")
}
