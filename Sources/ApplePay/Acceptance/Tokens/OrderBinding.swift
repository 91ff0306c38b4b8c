public import BillfoldMoney
import Crypto

/// Compares what was decrypted with the order it is meant to pay (apple-pay.md#order-binding).
///
/// The amount inside a token is what the sheet showed. It is compared here and never charged: partial shipment, tips,
/// conversion, pending totals and multi-token splits all make it differ from what is due (apple-pay.md#amount-in-the-token).
public struct OrderBinding: Sendable {
    /// How the sheet's amount relates to the order's.
    public enum AmountRule: Sendable, Hashable {
        /// The sheet showed the order's amount.
        case equal
        /// The order is explicitly pending or split, so the sheet's amount says nothing about it.
        case pendingOrSplit
    }

    /// The order's own amount, which is what will be charged.
    public var amount: Amount
    public var amountRule: AmountRule
    /// The bytes that the server put in the payment request; nil when it put none.
    public var applicationData: [UInt8]?

    public init(amount: Amount, amountRule: AmountRule = .equal, applicationData: [UInt8]?) {
        self.amount = amount
        self.amountRule = amountRule
        self.applicationData = applicationData
    }

    /// Refuses with `application-data-missing`, `application-data-unexpected`, `application-data-mismatch`,
    /// `currency-mismatch` or `amount-mismatch`.
    public func check(_ token: VerifiedToken, _ payload: PaymentPayload) throws(ApplePayError) {
        try check(applicationDataHash: token.token.header.applicationData)
        try check(payload)
    }

    private func check(applicationDataHash: [UInt8]?) throws(ApplePayError) {
        switch (applicationData, applicationDataHash) {
        case (nil, nil): return
        case (.some, nil):
            throw ApplePayError(code: .applicationDataMissing, reason: "the order issued applicationData and the token carries none")
        case (nil, .some):
            throw ApplePayError(code: .applicationDataUnexpected, reason: "the token carries applicationData and the order issued none")
        case (let issued?, let carried?):
            guard Array(SHA256.hash(data: issued)) == carried else {
                throw ApplePayError(
                    code: .applicationDataMismatch, reason: "the token was made for other applicationData than the order issued")
            }
        }
    }

    private func check(_ payload: PaymentPayload) throws(ApplePayError) {
        guard payload.currencyCode == amount.currency.numericCode else {
            throw ApplePayError(
                code: .currencyMismatch,
                reason: "the sheet showed currency \(payload.currencyCode), the order is in \(amount.currency.numericCode)")
        }
        guard amountRule == .pendingOrSplit || payload.transactionAmount == amount.minorUnits else {
            throw ApplePayError(
                code: .amountMismatch,
                reason: "the sheet showed \(payload.transactionAmount) minor units, the order is for \(amount.minorUnits)")
        }
    }
}
