public import Foundation

/// One line of the sheet. The last item of a list is the grand total, labelled with the merchant's name.
open class PKPaymentSummaryItem: NSObject {
    open var label: String
    /// Major units. Negative for a discount.
    open var amount: NSDecimalNumber
    open var type: PKPaymentSummaryItemType

    public init(label: String, amount: NSDecimalNumber, type: PKPaymentSummaryItemType) {
        self.label = label
        self.amount = amount
        self.type = type
    }

    /// An item without a name and an amount, both to be set.
    public convenience override init() { self.init(label: "", amount: .zero, type: .final) }

    public convenience init(label: String, amount: NSDecimalNumber) {
        self.init(label: label, amount: amount, type: .final)
    }
}

/// A charge that repeats.
open class PKRecurringPaymentSummaryItem: PKPaymentSummaryItem {
    open var startDate: Date?
    open var intervalUnit: NSCalendar.Unit = .month
    open var intervalCount = 1
    open var endDate: Date?
}

/// A charge made on a later day.
open class PKDeferredPaymentSummaryItem: PKPaymentSummaryItem {
    open var deferredDate = Date(timeIntervalSince1970: 0)
}

/// A stored-value account that is topped up when its balance falls below the threshold.
open class PKAutomaticReloadPaymentSummaryItem: PKPaymentSummaryItem {
    open var thresholdAmount = NSDecimalNumber.zero
}

/// What a person is paid out, after the fee; the last line of a ``PKDisbursementRequest``.
open class PKDisbursementSummaryItem: PKPaymentSummaryItem {}

/// What an instant transfer costs; zero where it costs nothing.
open class PKInstantFundsOutFeeSummaryItem: PKPaymentSummaryItem {}

/// A way to deliver physical goods. Without an identifier the app cannot tell which one was chosen.
open class PKShippingMethod: PKPaymentSummaryItem {
    open var identifier: String?
    open var detail: String?
    open var dateComponentsRange: PKDateComponentsRange?
}

/// The days between which a delivery arrives.
open class PKDateComponentsRange: NSObject {
    public let startDateComponents: DateComponents
    public let endDateComponents: DateComponents

    /// The header may give nil, and says not when; here it never does.
    public init?(start: DateComponents, end: DateComponents) {
        startDateComponents = start
        endDateComponents = end
    }
}
