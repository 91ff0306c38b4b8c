import BillfoldJSON
import BillfoldStorage
import Foundation
import UnionPay

/// What is kept of a payment beside its state: nothing of it is card data in clear.
struct PaymentDetail: Sendable, Hashable, Codable {
    /// The wallet's transaction id, lower case.
    var transactionIdentifier: String
    /// First six and last four digits at most.
    var maskedAccount: String
    /// Keyed hash of the device's card number, hex: equal for equal cards, and nothing more.
    var accountHash: String
    /// The wallet's word for the scheme; not signed, for display only.
    var network: String?
    var items: [Item]
    var shippingMethod: String?
    var couponCode: String?
    /// The shopper's contacts, sealed under the payment's id.
    var contacts: Data?
    /// Seconds since 1970; afterwards the acquirer must not take the payment.
    var payTimeout: Int64
    /// Microseconds since 1970, where undecided payments are to be reversed: from then on nobody waits beside the sheet any more,
    /// and a payment that is still undecided is reversed by whoever finds it so.
    var reversalDue: Int64?
    /// Whether the order was pushed, to be paid by UnionPay's own client. Nil is no.
    var pushed: Bool?
    /// Keyed hash of the choice that it was pushed for, hex: a request for another choice does not get its number.
    var wish: String?

    /// A line of what the shopper agreed to, in major units.
    struct Item: Sendable, Hashable, Codable {
        var label: String
        var amount: String
        var type = "final"
    }

    struct Contacts: Sendable, Hashable, Codable {
        var shipping: Contact?
        var billing: Contact?
    }

    init(
        transactionIdentifier: String, maskedAccount: String, accountHash: String, network: String?, items: [Item],
        shippingMethod: String?, couponCode: String?, contacts: Data?, payTimeout: Int64, reversalDue: Int64? = nil
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.maskedAccount = maskedAccount
        self.accountHash = accountHash
        self.network = network
        self.items = items
        self.shippingMethod = shippingMethod
        self.couponCode = couponCode
        self.contacts = contacts
        self.payTimeout = payTimeout
        self.reversalDue = reversalDue
    }

    /// Of an order that was pushed: nothing is known of a card.
    init(pushed items: [Item], wish: String, shippingMethod: String?, couponCode: String?, contacts: Data?, payTimeout: Int64) {
        self.init(
            transactionIdentifier: "", maskedAccount: "", accountHash: "", network: nil, items: items, shippingMethod: shippingMethod,
            couponCode: couponCode, contacts: contacts, payTimeout: payTimeout)
        pushed = true
        self.wish = wish
    }

    /// By which product of the acquirer's it is paid: what is given back goes by the same one.
    var businessType: String { pushed == true ? BusinessType.orderPush : BusinessType.walletDeduct }

    init(_ stored: [UInt8]) throws { self = try JSONDocument.decode(Self.self, stored) }

    /// The masked account alone, which each event and each line of a list shows: the rest is not decoded for it. Empty where there is none.
    static func maskedAccount(in stored: [UInt8]) -> String {
        (try? JSONDocument.decode(Account.self, stored))?.maskedAccount ?? ""
    }

    private struct Account: Decodable {
        var maskedAccount: String
    }

    /// When the acquirer must not take the payment any more.
    var timeLimit: Timestamp { Timestamp(secondsSince1970: payTimeout) }

    func encoded() throws -> [UInt8] { try JSONDocument.encode(self) }
}
