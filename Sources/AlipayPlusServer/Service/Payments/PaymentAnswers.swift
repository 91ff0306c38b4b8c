import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What is told of a payment, made from its committed row each time.
enum PaymentAnswers {
    /// The facts that answers and notifications share: all of them once it is paid, else those that are known.
    private struct Facts {
        var pspID: String?
        var paidAt: AlipayPlusTime?
        var customerID: String?
        var brand: String?
        var settlement: WireAmount?
        var quote: WireQuote?
        var walletPaymentID: String?

        init(_ payment: AcquirerPayment, _ wallet: PartnerWallet?) {
            guard payment.state == .success, let leg = payment.settledLeg, let detail = payment.detail(of: leg.id) else { return }
            pspID = wallet?.pspID
            brand = wallet?.brand
            paidAt = payment.paidAt?.alipayPlusTime
            customerID = detail.customerID
            settlement = WireAmount(detail.money.settlement)
            quote = detail.money.settlementQuote
            walletPaymentID = detail.walletPaymentID
        }
    }

    static func notification(_ payment: AcquirerPayment, wallet: PartnerWallet?) -> NotifyPaymentRequest {
        let facts = Facts(payment, wallet)
        return NotifyPaymentRequest(
            paymentResult: payment.result, acquirerId: payment.acquirer.description, paymentRequestId: payment.requestID,
            pspId: facts.pspID, paymentId: payment.paymentID, paymentTime: facts.paidAt, paymentAmount: WireAmount(payment.terms.amount),
            customerId: facts.customerID, walletBrandName: facts.brand, settlementAmount: facts.settlement, settlementQuote: facts.quote,
            mppPaymentId: facts.walletPaymentID)
    }

    /// The part of `pay`'s answer that is the same in every scenario.
    static func pay(_ payment: AcquirerPayment, wallet: PartnerWallet?) -> PayAnswer {
        let facts = Facts(payment, wallet)
        return PayAnswer(
            result: payment.result, acquirerId: payment.acquirer.description, pspId: facts.pspID, paymentId: payment.paymentID,
            paymentTime: facts.paidAt, paymentAmount: WireAmount(payment.terms.amount), customerId: facts.customerID,
            walletBrandName: facts.brand, settlementAmount: facts.settlement, settlementQuote: facts.quote,
            mppPaymentId: facts.walletPaymentID)
    }

    static func inquiry(_ payment: AcquirerPayment, refunds: [AcquirerRefund], wallet: PartnerWallet?) -> InquiryPaymentAnswer {
        let facts = Facts(payment, wallet)
        return InquiryPaymentAnswer(
            result: .success, paymentResult: payment.result, paymentRequestId: payment.requestID,
            acquirerId: payment.acquirer.description, pspId: facts.pspID, paymentId: payment.paymentID, paymentTime: facts.paidAt,
            paymentAmount: WireAmount(payment.terms.amount), customerId: facts.customerID, walletBrandName: facts.brand,
            settlementAmount: facts.settlement, settlementQuote: facts.quote, mppPaymentId: facts.walletPaymentID,
            transactions: transactions(payment, refunds))
    }

    private static func transactions(_ payment: AcquirerPayment, _ refunds: [AcquirerRefund]) -> [WireTransaction] {
        let status: TransactionStatus =
            switch payment.state {
            case .processing: .processing
            case .success: .success
            case .failed: .fail
            case .cancelled: .cancelled
            }
        var all = [
            WireTransaction(
                transactionResult: payment.result, transactionId: payment.paymentID, transactionRequestId: payment.requestID,
                transactionType: .payment, transactionStatus: status, transactionAmount: WireAmount(payment.terms.amount),
                transactionTime: (payment.paidAt ?? payment.createdAt).alipayPlusTime)
        ]
        if payment.state == .cancelled {
            all.append(
                WireTransaction(
                    transactionResult: .success, transactionId: payment.paymentID, transactionRequestId: payment.requestID,
                    transactionType: .cancel, transactionStatus: .success, transactionAmount: WireAmount(payment.terms.amount),
                    transactionTime: payment.closedAt?.alipayPlusTime))
        }
        return all + refunds.map { refund($0, of: payment) }
    }

    private static func refund(_ refund: AcquirerRefund, of payment: AcquirerPayment) -> WireTransaction {
        let status: TransactionStatus =
            switch refund.state {
            case .processing: .processing
            case .success: .success
            case .failed: .fail
            }
        return WireTransaction(
            transactionResult: result(refund), transactionId: refund.id.description, transactionRequestId: refund.requestID,
            transactionType: .refund, transactionStatus: status,
            transactionAmount: WireAmount(Amount(minorUnits: refund.part.price, currency: payment.terms.amount.currency)),
            transactionTime: (refund.doneAt ?? refund.createdAt).alipayPlusTime)
    }

    static func result(_ refund: AcquirerRefund) -> AlipayPlusResult {
        switch refund.state {
        case .processing: .unknownException.saying("the refund is in process; send the same request again")
        case .success: .success
        case .failed: ResultRefusal(code: refund.failure ?? "PROCESS_FAIL").result
        }
    }

    static func refund(_ refund: AcquirerRefund, of payment: AcquirerPayment, wallet: PartnerWallet?) -> RefundAnswer {
        let money = payment.settledMoney
        return RefundAnswer(
            result: result(refund), refundId: refund.id.description, refundTime: refund.doneAt?.alipayPlusTime,
            refundAmount: WireAmount(Amount(minorUnits: refund.part.price, currency: payment.terms.amount.currency)),
            settlementAmount: money.map { WireAmount(Amount(minorUnits: refund.part.settlement, currency: $0.settlement.currency)) },
            settlementQuote: money?.settlementQuote, acquirerId: payment.acquirer.description, pspId: wallet?.pspID)
    }
}
