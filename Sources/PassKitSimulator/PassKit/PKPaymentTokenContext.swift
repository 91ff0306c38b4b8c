public import Foundation

/// One of several merchants that share a sheet. The amounts together must not exceed the total, and none is negative.
open class PKPaymentTokenContext: NSObject {
    open var merchantIdentifier: String
    open var externalIdentifier: String
    open var merchantName: String
    open var merchantDomain: String?
    open var amount: NSDecimalNumber

    public init(
        merchantIdentifier: String, externalIdentifier: String, merchantName: String, merchantDomain: String?, amount: NSDecimalNumber
    ) {
        self.merchantIdentifier = merchantIdentifier
        self.externalIdentifier = externalIdentifier
        self.merchantName = merchantName
        self.merchantDomain = merchantDomain
        self.amount = amount
    }
}
