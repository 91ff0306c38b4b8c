import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Foundation
import UnionPay

/// The JSON of answers. Amounts are major units with the currency's exact minor digits.
struct OrderView: Encodable {
    var id: String
    var reference: String
    /// `open`, `processing`, `paid`, `refunded`, `closed` or `expired`.
    var state: String
    var goods: String
    var currency: String
    var country: String
    var merchantName: String
    var merchantIdentifier: String
    var supportedNetworks: [String]
    var merchantCapabilities: [String]
    var applicationData: String
    var requiredShippingContactFields: [String]
    var items: [PaymentDetail.Item]
    var total: String
    var shippingMethods: [OrderDefinition.ShippingMethod]
    var supportsCouponCode: Bool
    var createdAt: String
    var expiresAt: String
    /// The shop's own notes, for the shop alone.
    var metadata: [String: String]?
    var payments: [PaymentView]
}

struct QuoteView: Encodable {
    var items: [PaymentDetail.Item]
    var total: String
    var shippingMethods: [OrderDefinition.ShippingMethod]
    var errors: [FieldError]
}

/// A payment as the merchant's own systems see it.
struct MerchantPaymentView: Encodable {
    var id: String
    var order: String
    /// The merchant's own number of the order; not in the books.
    var reference: String?
    var state: String
    var reason: String?
    var amount: String
    var currency: String
    var refunded: String
    var acquirerReference: String?
    var settlementDay: String?
    var alarm: String?
    var account: String
    var createdAt: String
    var modifications: [ModificationView]

    init(listed: CardPaymentsService.ListedPayment) {
        self.init(listed.payment, listed.modifications, reference: listed.reference)
    }

    init(_ payment: Payment, _ modifications: [Modification], reference: String? = nil) {
        id = payment.id.description
        order = payment.order.description
        self.reference = reference
        state = payment.state.rawValue
        reason = payment.reason
        amount = payment.amount.text
        currency = payment.currency.alphabeticCode
        refunded = payment.refunded.text
        acquirerReference = payment.acquirerReference
        settlementDay = ModificationView.acquirersDay(payment.settlementDay)
        alarm = payment.alarm?.rawValue
        account = PaymentDetail.maskedAccount(in: payment.detail)
        createdAt = payment.createdAt.text
        self.modifications = modifications.map { ModificationView($0, order: payment.order, reference: reference) }
    }
}

struct BooksView: Encodable {
    struct Account: Encodable {
        var account: String
        var currency: String
        /// Debit positive, credit negative.
        var balance: String
    }

    var settlementDay: String?
    /// False is an alarm: each currency must sum to zero. On the first page only, as are the accounts.
    var balanced: Bool?
    var accounts: [Account]?
    var payments: [MerchantPaymentView]
    /// The cursor of the next page, while there is one.
    var next: String?

    init(_ page: BooksPage) throws {
        settlementDay = page.settlementDay?.day.description
        balanced = try page.trial?.imbalances().isEmpty
        accounts = page.trial?.accounts.map {
            Account(account: $0.account, currency: $0.balance.currency.alphabeticCode, balance: $0.balance.text)
        }
        payments = page.payments.map { MerchantPaymentView($0, $1) }
        next = page.next?.description
    }
}

struct ReconciliationView: Encodable {
    struct Line: Encodable {
        var `class`: String
        var kind: String
        var subject: String?
        var acquirerReference: String?
        var acquirerOrder: String?
        var booked: String?
        var filed: String?
        var fee: String?
    }

    /// `MMDD`.
    var settlementDay: String
    /// `yyyyMMdd`: the year that was meant.
    var settlementDate: String
    /// How many lines each class has; every class is named.
    var classes: [String: Int]
    var lines: [Line]

    init(_ reconciled: ReconciledDay) {
        let (day, rows, currency) = (reconciled.day, reconciled.rows, reconciled.currency)
        settlementDay = day.day.description
        settlementDate = day.description
        classes = Dictionary(
            uniqueKeysWithValues: ReconciliationRow.Class.allCases.map { kind in
                (kind.rawValue, rows.count { $0.class == kind })
            })
        func text(_ minorUnits: Int64?) -> String? { minorUnits.map { Amount(minorUnits: $0, currency: currency).text } }
        lines = rows.map { row in
            Line(
                class: row.class.rawValue, kind: row.kind, subject: row.subject, acquirerReference: row.acquirerReference,
                acquirerOrder: row.acquirerOrder, booked: text(row.booked), filed: text(row.filed), fee: text(row.fee))
        }
    }
}
