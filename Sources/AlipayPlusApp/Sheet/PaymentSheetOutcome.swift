/// How a payment sheet ended. None of it says that anything is paid, or that nothing is: ask the merchant's server in every case but a
/// failure before the sheet.
public enum PaymentSheetOutcome: Sendable, Equatable {
    /// How a wallet was opened.
    public enum Way: String, Sendable, Hashable, CaseIterable {
        /// By its universal link, in its app.
        case applink
        /// By its scheme, in its app.
        case scheme
        /// By its page.
        case page
    }

    /// What the linked Alipay SDK says.
    public enum AlipayWord: String, Sendable, Hashable, CaseIterable {
        case success, failed, canceled, exception, processing
    }

    /// A wallet was chosen and opened. The person pays there now, or comes back without.
    case left(wallet: String, way: Way)
    /// The sheet was closed without a choice.
    case cancelled
    /// Alipay was chosen, and the linked Alipay SDK came back.
    case alipay(AlipayWord)
    /// There was no sheet, or no way into the wallet.
    case failed(IAPError)
}

extension PaymentSheetOutcome.AlipayWord {
    /// Unknown is never failed: a status that no document names means processing.
    init(resultStatus: String?) {
        switch resultStatus {
        case "9000": self = .success
        case "4000": self = .failed
        case "6001": self = .canceled
        case "6002": self = .exception
        default: self = .processing
        }
    }

    var eventName: String {
        switch self {
        case .success: IAPPaymentSheetEventPaymentSuccess
        case .failed: IAPPaymentSheetEventPaymentFailed
        case .canceled: IAPPaymentSheetEventPaymentCanceled
        case .exception: IAPPaymentSheetEventPaymentException
        case .processing: IAPPaymentSheetEventPaymentProcessing
        }
    }
}
