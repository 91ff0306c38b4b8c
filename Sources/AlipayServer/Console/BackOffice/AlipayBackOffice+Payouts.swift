package import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Balances of merchants, and of the receivers of their split payments, on their way to a bank account.
extension AlipayBackOffice {
    /// Books a payout once per `request`, with its line in the audit trail; moving the money is the bank's. Refuses with `not-found` an
    /// unknown merchant, with `invalid-amount` nothing and a currency that the merchant is not credited in, and with `balance-too-small`.
    ///
    /// - Parameters:
    ///   - amount: In the merchant's settlement currency: CNY for a domestic one.
    ///   - merchant: The partner's id.
    ///   - receiver: Who gets a part of the merchant's payments (`transIn` of `split_fund_info`), whose part is paid out then, and not the
    ///     merchant's own balance.
    ///   - request: Stands for one payout for ever.
    ///   - person: Who asked for it.
    ///   - reason: Goes to the audit trail.
    /// - Returns: False when it was booked before.
    @discardableResult
    package func payOut(
        _ amount: Amount, to merchant: String, receiver: String? = nil, request: String, by person: String, because reason: String
    ) async throws -> Bool {
        let (now, links) = (context.clock.now(), AuditChain(key: context.configuration.keys.audit))
        guard let partner = try? MerchantID(merchant), let known = try await context.merchants.partner(partner)?.merchant else {
            throw AlipayServerError(code: .notFound, reason: "the gateway has no such merchant")
        }
        guard amount.isPositive, amount.currency == known.currency ?? .cny else {
            throw AlipayServerError(
                code: .invalidAmount, reason: "a payout is more than nothing, in \(known.currency ?? .cny)")
        }
        let payout = Payout(
            merchant: partner, receiver: receiver, request: request, id: context.identifiers.next(at: now), amount: amount, by: person,
            reason: reason, at: now)
        return try await context.database.writeRepeatably { tx in
            switch try SellerBalanceRecords.payOut(payout, in: tx) {
            case nil: return false
            case false?:
                throw AlipayServerError(
                    code: .balanceTooSmall, reason: "the \(receiver == nil ? "merchant" : "receiver") has less than \(amount)")
            case true?:
                try AuditRecords.append(
                    to: "operators", by: person, action: receiver == nil ? "merchant.payout" : "receiver.payout", object: request,
                    result: (receiver.map { "\($0): " } ?? "") + "\(amount): \(reason)", at: now, merchant: partner, linking: links, in: tx)
                return true
            }
        }
    }
}
