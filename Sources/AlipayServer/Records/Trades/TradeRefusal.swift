package import Alipay
import BillfoldDiagnosis

/// A business refusal, in the words of all interfaces that can give it. Nothing was changed.
package struct TradeRefusal: CodedError, Hashable {
    package enum Code: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
        /// The merchant has no such trade; before the password step nobody has (alipay.md#password-step) [D].
        case tradeNotFound = "trade-not-found"
        case statusInvalid = "status-invalid"
        case tradeClosed = "trade-closed"
        case tradeFinished = "trade-finished"
        case expired
        case otherPayer = "other-payer"
        /// The trade was paid by another payment.
        case alreadyPaid = "already-paid"
        /// Whoever sells cannot be the payer.
        case buyerIsSeller = "buyer-is-seller"
        case amountDiffers = "amount-differs"
        /// The order number stands for another order already.
        case contextInconsistent = "context-inconsistent"
        case refundExceedsPayment = "refund-exceeds-payment"
        /// A part of the price needs a request number.
        case refundNotWhole = "refund-not-whole"
        /// The request number stands for another amount.
        case refundDiscordant = "refund-discordant"
        /// A refund follows another of its trade too closely. Nothing was changed: the same request can be sent again.
        case tooSoon = "too-soon"
        case invalidParameter = "invalid-parameter"
        /// The trade was paid too long ago to be cancelled: it can be refunded.
        case cancelTimedOut = "cancel-timed-out"
        case cancelNotAllowed = "cancel-not-allowed"
        /// The merchant was paid out more than it leaves for this refund. Nothing was changed: the same request can be sent again once more
        /// was paid to it.
        case sellerBalanceNotEnough = "seller-balance-not-enough"
        /// The merchant's contract is of another product: a cross-border one takes no domestic order.
        case accessForbidden = "access-forbidden"

        package var description: String { rawValue }
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// What a refund that failed is refused with whenever it is asked for again.
    init(failed refund: Refund) {
        let code = Code.allCases.first { TradeRefusal($0, "").legacyError == refund.failure }
        self.init(code ?? .statusInvalid, "the refund of that number failed: another attempt takes another number")
    }

    /// `sub_code` of the open platform (alipay.md#reply-codes) [D].
    package var subCode: String {
        switch code {
        case .tradeNotFound: "ACQ.TRADE_NOT_EXIST"
        case .statusInvalid: "ACQ.TRADE_STATUS_ERROR"
        case .tradeClosed: "ACQ.TRADE_HAS_CLOSE"
        case .tradeFinished: "ACQ.TRADE_HAS_FINISHED"
        case .expired: "ACQ.NOW_TIME_AFTER_EXPIRE_TIME_ERROR"
        case .otherPayer: "ACQ.TRADE_BUYER_NOT_MATCH"
        case .alreadyPaid: "ACQ.TRADE_HAS_SUCCESS"
        case .buyerIsSeller: "ACQ.BUYER_SELLER_EQUAL"
        case .amountDiffers: "ACQ.INVALID_PARAMETER"
        case .contextInconsistent: "ACQ.CONTEXT_INCONSISTENT"
        case .refundExceedsPayment: "ACQ.REASON_TRADE_REFUND_FEE_ERR"
        case .refundNotWhole: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL"
        case .refundDiscordant: "ACQ.DISCORDANT_REPEAT_REQUEST"
        case .invalidParameter: "ACQ.INVALID_PARAMETER"
        case .tooSoon: "isv.method-call-limited"
        case .cancelTimedOut: "ACQ.TRADE_CANCEL_TIME_OUT"
        case .cancelNotAllowed: "ACQ.CANCEL_NOT_ALLOWED"
        case .sellerBalanceNotEnough: "ACQ.SELLER_BALANCE_NOT_ENOUGH"
        case .accessForbidden: "ACQ.ACCESS_FORBIDDEN"
        }
    }

    /// `error` of the XML services. Those of unknown trades and arguments were seen [O]; the others are ours [I] (alipay.md#legacy-errors).
    package var legacyError: String {
        switch code {
        case .tradeNotFound: "TRADE_NOT_EXIST"
        case .statusInvalid, .tradeClosed, .tradeFinished, .expired, .alreadyPaid, .cancelTimedOut, .cancelNotAllowed: "TRADE_STATUS_ERROR"
        case .otherPayer, .buyerIsSeller, .amountDiffers, .invalidParameter: "INVALID_PARAMETER"
        case .contextInconsistent, .refundDiscordant: "DISCORDANT_REPEAT_REQUEST"
        case .refundExceedsPayment, .refundNotWhole: "RETURN_AMOUNT_EXCEED"
        case .tooSoon: "SYSTEM_ERROR"
        case .sellerBalanceNotEnough: "SELLER_BALANCE_NOT_ENOUGH"
        case .accessForbidden: "HAS_NO_PRIVILEGE"
        }
    }

    /// What a wallet shows (alipay.md#wallet-codes) [O], or our own word where there is none.
    package var walletCode: WalletRefusalCode {
        switch code {
        case .otherPayer: .otherPayer
        case .alreadyPaid: .alreadyPaid
        case .tradeClosed, .expired, .statusInvalid, .tradeFinished: .expired
        case .contextInconsistent: .numberReused
        case .invalidParameter: .invalidParameter
        default: WalletRefusalCode(rawValue: code.rawValue)
        }
    }
}
