import BillfoldJSON
import BillfoldPayments
import UnionPay

// Two of our libraries use one word for two things; here each has its own.

/// The owner of books and orders.
typealias MerchantID = BillfoldPayments.MerchantID
/// `merId`: the merchant as the acquirer knows it.
typealias AcquirerMerchantID = UnionPay.MerchantID

/// Reads request bodies, refusing with `malformed-request`.
typealias RequestReader = ClosedObjectReader<CardPaymentsError>
