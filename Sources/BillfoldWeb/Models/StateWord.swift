/// A state's word, how it is marked, and what may be promised to the customer while it stands.
package struct StateWord: Sendable, Hashable {
    package let word: String
    package let mark: String
    package let meaning: String?

    package init(_ word: String) {
        self.word = word
        mark = Self.mark(of: word)
        meaning = Self.meaning(of: word)
    }

    private static func mark(of word: String) -> String {
        switch word {
        case "succeeded", "done", "paid", "refunded", "partlyRefunded", "active", "on", "released", "delivered", "credited", "captured":
            "mark-done"
        case "failed", "refused", "rejected", "blocked", "off", "gone", "given up": "mark-bad"
        case "closed", "reversed", "expired", "deleted", "withdrawn", "not told": "mark-quiet"
        default: "mark-open"
        }
    }

    private static func meaning(of word: String) -> String? {
        switch word {
        case "open": "The order and its amount are fixed. No money has been asked for."
        case "processing": "A payment is under way and nothing is settled. This is not a failure."
        case "expired": "The time for paying is over. No money was taken."
        case "created": "The order and its amount are fixed. No money has been asked for."
        case "authorised": "The token was checked, opened and tied to this order. Nothing has been sent yet."
        case "submitted": "The deduct message is stored and may have left."
        case "accepted": "The gateway has the message. That is not a payment."
        case "unknown": "The message was sent and nothing is settled. The gateway is being asked. This is not a failure."
        case "succeeded", "paid": "The money was taken, by the evidence of the gateway."
        case "failed": "No money was taken, by the evidence of the gateway."
        case "reversed": "The payment was undone before it settled."
        case "refunding": "A refund was accepted and is not settled yet."
        case "partlyRefunded": "A part of the money went back."
        case "refunded": "All of the money went back."
        case "closed": "The order ended without a payment."
        case "booked": "The money has left the merchant’s balance. The payer’s wallet is being told."
        case "credited": "The payer’s wallet has it."
        case "waiting": "It is being told, or waits for its next attempt."
        case "held": "The money is set aside until the gateway’s word is known. This is not a failure."
        case "captured": "The money was taken, by the word of the gateway."
        case "gone": "It answered that it is gone, and is told nothing more."
        case "withdrawn": "Its endpoint was stopped or deleted before it was told."
        case "not told": "It was never to be told here."
        case "given up": "Every attempt of the schedule was made. It can be sent again."
        default: nil
        }
    }
}
