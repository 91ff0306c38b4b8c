public import BillfoldMoney

extension Amount {
    /// Reads an amount as orders write it.
    ///
    /// Strictly, exactly the currency's minor digits: two, and none for JPY and KRW [D, KRW I]. As observed, fewer: real paid orders
    /// carried `1` and `0.1` [V]. `invalid-parameter` for anything else, `0.001`, `1e2`, `-1` and zero among it.
    public init(alipay text: String, currency: Currency, reading: AlipayReading) throws(AlipayError) {
        do {
            try self.init(text, currency: currency, fraction: reading == .strict ? .exact : .upToMinorUnits)
        } catch {
            throw AlipayError(code: .invalidParameter, reason: "an amount is refused: \(error.reason)")
        }
        guard isPositive else { throw AlipayError(code: .invalidParameter, reason: "an amount must be greater than zero") }
    }
}
