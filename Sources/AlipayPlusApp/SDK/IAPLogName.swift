/// What the log service is told of.
public enum IAPLogName: String, Sendable, CaseIterable {
    /// `environment`, `language`.
    case configured = "configure"
    /// `path` of the published file.
    case optionInquired = "inquire_payment_option"
    /// `enabled`, `status`.
    case optionAnswered = "payment_option"
    /// `paymentId`, `wallets`: how many the payment data lists.
    case sheetRequested = "show_payment_sheet"
    /// `paymentId`, `event`, and `message` where the event has one.
    case sheetEvent = "payment_sheet_event"
    /// `paymentId`, `reason`: the page said something that no page of ours says.
    case sheetMessageRefused = "payment_sheet_message_refused"
    /// `paymentId`, `wallet`, `way`: the link was not used, being none of its kind, or of a wallet that is not installed.
    case linkSkipped = "wallet_link_skipped"
    /// `paymentId`, `wallet`, `way`: the link was opened, and the app stayed in front. The next one is tried.
    case appNotLeft = "wallet_app_not_left"
    /// `paymentId`, `wallet`, `way`.
    case walletOpened = "wallet_opened"
    /// `scheme`: a URL that is no return from the Alipay app. `reason`: an answer of the Alipay SDK that no payment waits for.
    case returnRefused = "return_refused"
    /// `error`.
    case exception
}
