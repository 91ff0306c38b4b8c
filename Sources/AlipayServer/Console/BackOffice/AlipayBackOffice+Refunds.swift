import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Refunds that left a merchant's balance and that the payer's wallet has not credited.
extension AlipayBackOffice {
    static func owed(
        _ merchant: AlipayMerchant, in tx: any Transaction
    ) throws -> [(bookedAt: Timestamp, shown: OrderGatewayOverview.OwedRefund)] {
        try RefundRecords.owed(merchant.partner, limit: mostRows, in: tx).map { refund in
            let trade = try TradeRecords.find(refund.trade, merchant: refund.merchant, in: tx)
            let standing = try OutboxRecords.standing(of: refund.id, merchant: refund.merchant, in: tx)
            let bookedAt = refund.bookedAt ?? refund.createdAt
            let shown = OrderGatewayOverview.OwedRefund(
                id: refund.id.description, merchant: merchant.partner.description, merchantName: merchant.name,
                tradeNo: trade?.tradeNo ?? "", requestNo: refund.requestNo,
                amount: Amount(minorUnits: refund.part.payable, currency: .cny).description, wallet: refund.wallet,
                attempts: standing?.attempts ?? 0, note: standing?.note ?? "", isGivenUp: standing?.isGivenUp ?? true,
                bookedAt: bookedAt.microseconds)
            return (bookedAt, shown)
        }
    }

    package func resend(refund id: String, of merchant: String, because reason: String, by person: String) async throws -> Bool {
        guard let id = try? TimeOrderedID(text: id), let merchant = try? MerchantID(merchant) else { return false }
        let (now, links) = (context.clock.now(), AuditChain(key: context.configuration.keys.audit))
        let isTaken = try await context.database.writeRepeatably { tx in
            guard let refund = try RefundRecords.find(id, merchant: merchant, in: tx), refund.state == .booked,
                let standing = try OutboxRecords.standing(of: id, merchant: merchant, in: tx)
            else { return false }
            if standing.isGivenUp {
                return try OutboxRecords.resolve(
                    id, merchant: merchant, action: .retry, by: person, because: reason, at: now, linking: links, in: tx)
            }
            // The refund's id is the request's id: a second copy credits nothing more. One that is due already is being sent.
            guard try OutboxRecords.hurry(id, merchant: merchant, at: now, in: tx) else { return true }
            try AuditRecords.append(
                to: "operators", by: person, action: "refund.resend", object: id.description, result: reason, at: now,
                merchant: merchant, linking: links, in: tx)
            return true
        }
        if isTaken { context.bell.ring() }
        return isTaken
    }
}
