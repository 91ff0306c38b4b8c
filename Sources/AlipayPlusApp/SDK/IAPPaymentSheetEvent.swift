public import Foundation

/// The sheet is on the screen.
public let IAPPaymentSheetEventDidShow = "IAPPaymentSheetEventDidShow"
/// A wallet was chosen and Pay Now tapped: the app is about to be left, for the wallet or its page. Nothing is paid yet.
public let IAPPaymentSheetEventDidSelectWalletAndPay = "IAPPaymentSheetEventDidSelectWalletAndPay"
/// Close was tapped.
public let IAPPaymentSheetEventUserDidCancel = "IAPPaymentSheetEventUserDidCancel"
/// Something failed; the message says what.
public let IAPPaymentSheetEventThrowException = "IAPPaymentSheetEventThrowException"

// Only with the Alipay SDK linked, and when Alipay was chosen.

/// The Alipay SDK says paid. The merchant's server knows whether it is so.
public let IAPPaymentSheetEventPaymentSuccess = "IAPPaymentSheetEventPaymentSuccess"
public let IAPPaymentSheetEventPaymentFailed = "IAPPaymentSheetEventPaymentFailed"
public let IAPPaymentSheetEventPaymentCanceled = "IAPPaymentSheetEventPaymentCanceled"
/// The Alipay SDK lost its network: the payment's end is not known.
public let IAPPaymentSheetEventPaymentException = "IAPPaymentSheetEventPaymentException"
/// The payment's end is not known yet.
public let IAPPaymentSheetEventPaymentProcessing = "IAPPaymentSheetEventPaymentProcessing"

/// Posted when a sheet went away, for whatever reason; its object is the client. The real one's name is not public [I].
public let IAPPaymentSheetDidCloseNotification = Notification.Name("IAPPaymentSheetDidCloseNotification")

/// Something that happened to a payment sheet. No event is a payment: ask the merchant's server.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPPaymentSheetEvent: NSObject, Sendable {
    /// One of the constants above.
    public let name: String
    /// Of an exception `code WORD: why` (``IAPError/description``), of a choice the wallet's name, otherwise nil.
    public let message: String?

    public init(name: String, message: String? = nil) {
        self.name = name
        self.message = message
    }

    public override var description: String { message.map { "\(name) (\($0))" } ?? name }
}
