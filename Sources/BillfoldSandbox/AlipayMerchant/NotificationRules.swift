import Alipay
import BillfoldJSON
import BillfoldMoney

/// What a verified notification changes in the merchant's books: values only.
///
/// After the signature the merchant compares order, amount and seller (alipay.md#what-a-notification-proves) [D]. Notifications may be
/// doubled, late and out of order; none moves a paid order back.
enum NotificationRules {
    enum Verdict: Equatable {
        case change(ExpressOrderRecord)
        /// True, and known already.
        case nothingNew
        /// Signed by the gateway and not about this order as it was made: never answered with `success`.
        case refused(String)
    }

    static func judge(_ notification: VerifiedNotification, of order: ExpressOrderRecord, at now: Int64) -> Verdict {
        switch notification["notify_type"] {
        case "refund_status_sync": return refundOutcome(notification, order)
        case "batch_refund_notify": return batchOutcome(notification, order)
        case "trade_status_sync": break
        default: return .refused("notify_type is none that this merchant asked for")
        }
        if let mistake = mismatch(notification, order) { return .refused(mistake) }
        guard let tradeNo = notification.tradeNo else { return .refused("trade_no is missing") }
        if let known = order.tradeNo, known != tradeNo { return .refused("trade_no is another trade's") }
        var changed = order
        switch notification.event {
        case .paid: changed.pay(tradeNo: tradeNo, at: now)
        case .refunded:
            // A refund says that the order was paid, even where it arrives before the payment's own notification.
            changed.pay(tradeNo: tradeNo, at: now)
            if let number = notification["out_biz_no"] { changed.settle(refund: number, .done) }
        case .refundedWhole:
            changed.pay(tradeNo: tradeNo, at: now)
            changed.giveBackWhole(refund: notification["out_biz_no"], at: now)
        case .closed:
            if changed.state == .unpaid { changed.state = .closed }
        case .unclear: return .refused("its fields contradict each other: a query tells")
        case .other: return .refused("trade_status is none that is sent")
        }
        return changed == order ? .nothingNew : .change(changed)
    }

    /// Why the notification is not about this order as it was made; nil when it is.
    private static func mismatch(_ notification: VerifiedNotification, _ order: ExpressOrderRecord) -> String? {
        guard ExactText.equal(notification.outTradeNo, order.id) else { return "out_trade_no is another order's" }
        guard let price = order.price.amount, let total = notification.total,
            (try? Amount(alipay: total, currency: price.currency, reading: .asObserved)) == price
        else { return "the amount is not the order's" }
        switch (order.generation, order.account) {
        case (.modern, let account):
            guard notification["app_id"] == account.appID else { return "app_id is not ours" }
            guard notification["seller_id"] == account.partner else { return "seller_id is not ours" }
        case (.legacy, .domestic):
            guard notification["seller_id"] == order.account.partner else { return "seller_id is not ours" }
        case (.legacy, .crossBorder):
            // The cross-border set names no seller (alipay.md#notification-fields) [V].
            guard notification["currency"] == order.account.currency.alphabeticCode else { return "currency is not the contract's" }
        }
        return nil
    }

    private static func refundOutcome(_ notification: VerifiedNotification, _ order: ExpressOrderRecord) -> Verdict {
        guard ExactText.equal(notification.outTradeNo, order.id) else { return .refused("out_trade_no is another order's") }
        guard let number = notification["out_return_no"], let refund = order.refunds.first(where: { $0.number == number }) else {
            return .refused("out_return_no is no refund of ours")
        }
        let told = notification["return_amount"] ?? notification["return_rmb_amount"]
        guard let amount = refund.amount.amount, let told,
            (try? Amount(alipay: told, currency: amount.currency, reading: .asObserved)) == amount
        else { return .refused("the amount is not the refund's") }
        switch notification["refund_status"] {
        case "REFUND_SUCCESS": return settle(number, order, isDone: true, code: nil)
        case "REFUND_FAIL": return settle(number, order, isDone: false, code: notification["error_code"] ?? "REFUND_FAIL")
        // Nobody said that it failed.
        default: return .refused("refund_status is none that is sent")
        }
    }

    /// One refund per batch is what this merchant asks for.
    private static func batchOutcome(_ notification: VerifiedNotification, _ order: ExpressOrderRecord) -> Verdict {
        guard let number = notification["batch_no"], let refund = order.refunds.first(where: { $0.number == number }) else {
            return .refused("batch_no is no refund of ours")
        }
        let parts = (notification["result_details"] ?? "").split(separator: "^", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, parts[0] == order.tradeNo, parts[1] == refund.amount.value, !parts[2].isEmpty else {
            return .refused("result_details is not about the refund")
        }
        return settle(number, order, isDone: parts[2] == "SUCCESS", code: parts[2])
    }

    private static func settle(_ number: String, _ order: ExpressOrderRecord, isDone: Bool, code: String?) -> Verdict {
        var changed = order
        changed.settle(refund: number, isDone ? .done : .refused, code: isDone ? nil : code)
        return changed == order ? .nothingNew : .change(changed)
    }
}
