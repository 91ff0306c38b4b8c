import BillfoldDiagnosis
import Crypto
import Foundation

/// A range of card numbers that the bank issues from.
package struct BINRange: Sendable, Hashable, Codable {
    /// The first six digits.
    package var prefix: String
    /// `visa`, `mastercard` or `unionPay`.
    package var network: String
    /// How many digits a number has.
    package var length: Int

    static let demo = [
        BINRange(prefix: "405551", network: "visa", length: 16), BINRange(prefix: "520400", network: "mastercard", length: 16),
        BINRange(prefix: "621483", network: "unionPay", length: 16),
    ]

    /// A number of this range that belongs to nobody and passes the Luhn check, drawn from a name.
    func number(drawnFrom name: String) -> Secret<String> {
        let digest = SHA256.hash(data: Data(name.utf8))
        let body = prefix + digest.prefix(length - prefix.count - 1).map { String($0 % 10) }.joined()
        return Secret(body + String(SecureElementCard.checkDigit(body)))
    }
}

/// Where a customer can be reached, as the processor knows it.
package struct CardContact: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case text = "TEXT_TO_CARDHOLDER_NUMBER"
        case email = "EMAIL_TO_CARDHOLDER_ADDRESS"
        case call = "CARDHOLDER_TO_CALL_AUTOMATED_NUMBER"
        case app = "CARDHOLDER_TO_USE_MOBILE_APP"
    }

    package var identifier: String
    package var type: Kind
    package var value: String

    /// As a page may show it.
    var masked: String {
        switch type {
        case .text, .call: Mask.phone(value)
        case .email: Mask.email(value)
        case .app: value
        }
    }
}

/// Whether a card can be used.
package enum CardStatus: String, Sendable, Hashable, Codable, CaseIterable {
    case active, blocked, closed
}

/// A card of the demo bank. People, numbers and addresses are made up.
struct DemoCard: Sendable {
    var id: String
    var customer: String
    var cardholderName: String
    var range: BINRange
    /// What it is when nobody has changed it.
    var status: CardStatus = .active

    static let all = [
        DemoCard(id: "visa-1", customer: "c-1", cardholderName: "MEI LIN", range: BINRange.demo[0]),
        DemoCard(id: "mastercard-1", customer: "c-1", cardholderName: "MEI LIN", range: BINRange.demo[1]),
        DemoCard(id: "unionpay-1", customer: "c-1", cardholderName: "MEI LIN", range: BINRange.demo[2]),
        DemoCard(id: "visa-2", customer: "c-2", cardholderName: "ANA SPECIMEN", range: BINRange.demo[0], status: .closed),
        DemoCard(id: "mastercard-2", customer: "c-2", cardholderName: "ANA SPECIMEN", range: BINRange.demo[1], status: .blocked),
    ]

    /// The number: the first is drawn from the card's id, each replacement from id and count, so that nothing of it is stored.
    func number(replacement: Int) -> Secret<String> { range.number(drawnFrom: "card \(id) \(replacement)") }

    /// The last four digits.
    func suffix(replacement: Int) -> String { String(number(replacement: replacement).reveal().suffix(4)) }

    /// `MM/YY`; a replacement is good for a year more.
    func expiration(replacement: Int) -> String { "12/\(30 + min(replacement, 69))" }

    static let contacts: [String: [CardContact]] = [
        "c-1": [
            CardContact(identifier: "c-1-text", type: .text, value: "+86 21 5550 0134"),
            CardContact(identifier: "c-1-email", type: .email, value: "mei.lin@example.com"),
            CardContact(identifier: "c-1-call", type: .call, value: "+86 21 5550 0100"),
            CardContact(identifier: "c-1-app", type: .app, value: "Bank app"),
        ],
        "c-2": [
            CardContact(identifier: "c-2-text", type: .text, value: "+351 21 555 0177"),
            CardContact(identifier: "c-2-email", type: .email, value: "ana@example.com"),
        ],
    ]
}
