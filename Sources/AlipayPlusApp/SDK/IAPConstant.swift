import AlipayPlusValues
public import Foundation

/// The release whose header these names are those of; not the version of this package.
public let IAPAlipayPlusClientVersionString = "2.1.4"

/// One of ``kIAPEnvPROD`` and ``kIAPEnvSANDBOX``.
public typealias IAPEnv = String
/// The value of ``IAPConfiguration/envType`` for production.
public let kIAPEnvPROD: IAPEnv = AlipayPlusEnvironment.production.rawValue
/// The value of ``IAPConfiguration/envType`` for the sandbox.
public let kIAPEnvSANDBOX: IAPEnv = AlipayPlusEnvironment.sandbox.rawValue

/// The domain of every error of the SDK. The real one's spelling is not public [I].
public let IAPErrorDomain = "com.alipayplus.iap"
/// 1001 PARAM_ILLEGAL: ``IAPError/Code/parameterIllegal``.
public let IAPErrorParamIllegal = IAPError.Code.parameterIllegal.rawValue
/// 1002 INVALID_NETWORK: ``IAPError/Code/invalidNetwork``.
public let IAPErrorInvalidNetwork = IAPError.Code.invalidNetwork.rawValue
/// 1003 SYSTEM_ERROR: ``IAPError/Code/systemError``.
public let IAPErrorSystemError = IAPError.Code.systemError.rawValue

/// The name of what happened to a sheet. Each constant is spelt as it is called [I]: compare with the constants.
public typealias IAPPaymentSheetEventName = String
/// The sheet is on the screen.
public let IAPPaymentSheetEventDidShow: IAPPaymentSheetEventName = "IAPPaymentSheetEventDidShow"
/// A wallet was chosen and Pay Now tapped: the app is about to be left, for the wallet or its page. Nothing is paid yet.
public let IAPPaymentSheetEventDidSelectWalletAndPay: IAPPaymentSheetEventName = "IAPPaymentSheetEventDidSelectWalletAndPay"
/// Close was tapped.
public let IAPPaymentSheetEventUserDidCancel: IAPPaymentSheetEventName = "IAPPaymentSheetEventUserDidCancel"
/// Something failed; the message says what.
public let IAPPaymentSheetEventThrowException: IAPPaymentSheetEventName = "IAPPaymentSheetEventThrowException"

// Only with the Alipay SDK linked, and when Alipay was chosen.

/// The Alipay SDK says paid. The merchant's server knows whether it is so.
public let IAPPaymentSheetEventPaymentSuccess: IAPPaymentSheetEventName = "IAPPaymentSheetEventPaymentSuccess"
/// The Alipay SDK says failed.
public let IAPPaymentSheetEventPaymentFailed: IAPPaymentSheetEventName = "IAPPaymentSheetEventPaymentFailed"
/// The person came back from Alipay without paying.
public let IAPPaymentSheetEventPaymentCanceled: IAPPaymentSheetEventName = "IAPPaymentSheetEventPaymentCanceled"
/// The Alipay SDK lost its network: the payment's end is not known.
public let IAPPaymentSheetEventPaymentException: IAPPaymentSheetEventName = "IAPPaymentSheetEventPaymentException"
/// The payment's end is not known yet.
public let IAPPaymentSheetEventPaymentProcessing: IAPPaymentSheetEventName = "IAPPaymentSheetEventPaymentProcessing"

/// The name of the notification that is posted when a sheet went away, for whatever reason, on the main thread; its object is the client,
/// it carries nothing else. Spelt as it is called [I].
public let IAPPosterDidCloseSheetViewNotification = "IAPPosterDidCloseSheetViewNotification"

extension NSNotification.Name {
    /// ``IAPPosterDidCloseSheetViewNotification`` as Swift reads a header's constant of such a name: `.IAPPosterDidCloseSheetView`.
    public static let IAPPosterDidCloseSheetView = NSNotification.Name(IAPPosterDidCloseSheetViewNotification)
}
