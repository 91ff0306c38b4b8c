import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import Foundation

/// The acquirer's books in the form of a report's rows: its own word, to hold Alipay+'s reports against.
enum AcquirerBooks {
    /// Every payment and every refund that is done, as the acquirer believes them; what was cancelled is not among them.
    static func transactions(of orders: [AcquirerOrder]) throws -> [ReportTransaction] {
        try orders.flatMap { order in
            try order.attempts.flatMap { try transactions(of: $0, in: order) }
        }.sorted {
            ($0.transactionTime.millisecondsSince1970, $0.transactionId) < ($1.transactionTime.millisecondsSince1970, $1.transactionId)
        }
    }

    private static func transactions(of attempt: AcquirerOrder.Attempt, in order: AcquirerOrder) throws -> [ReportTransaction] {
        guard attempt.state == .paid, let number = attempt.number, let settlement = attempt.settlement, let paidAt = attempt.paidAt else {
            return []
        }
        let fee = try settlement.percentage(AcquirerContract.feePercent, rounding: .halfUp)
        var rows = [
            ReportTransaction(
                transactionTime: AlipayPlusTime(millisecondsSince1970: paidAt), isRefund: false, transactionId: number,
                transactionRequestId: attempt.id, paymentId: number, referenceOrderId: order.id, counterParticipantId: attempt.pspID ?? "",
                transactionAmount: order.price, settlementAmount: settlement, fee: fee)
        ]
        var (gone, goneFee) = (Int64(0), Int64(0))
        for refund in attempt.refunds where refund.state == .done {
            guard let refundNumber = refund.number, let returned = refund.settlement, let at = refund.at else { continue }
            gone += refund.amount.minorUnits
            // The fee comes back in proportion, rounded half up; with the last part, all that is left of it.
            let part =
                try gone == order.price.minorUnits
                ? fee.minorUnits - goneFee
                : min(
                    fee.multiplied(by: Rational(refund.amount.minorUnits, order.price.minorUnits), rounding: .halfUp).minorUnits,
                    fee.minorUnits - goneFee)
            goneFee += part
            rows.append(
                ReportTransaction(
                    transactionTime: AlipayPlusTime(millisecondsSince1970: at), isRefund: true, transactionId: refundNumber,
                    transactionRequestId: refund.id, paymentId: number, referenceOrderId: order.id,
                    counterParticipantId: attempt.pspID ?? "", transactionAmount: refund.amount, settlementAmount: returned,
                    fee: Amount(minorUnits: -part, currency: fee.currency)))
        }
        return rows
    }
}
