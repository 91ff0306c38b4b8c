extension Amount {
    /// Shares the amount by weight so that the parts sum to it exactly.
    ///
    /// Each part is its exact share rounded towards zero; the minor units left over go one each to the parts with the
    /// largest remainders, earlier parts first where remainders are equal. A part with weight zero gets nothing.
    /// Throws `invalid-allocation` for no weights, a negative weight, or weights that sum to zero.
    public func allocated(by weights: [Int64]) throws(MoneyError) -> [Amount] {
        let total = weights.reduce(WideInteger(0)) { $0 + WideInteger($1) }
        guard total > 0, weights.allSatisfy({ $0 >= 0 }) else {
            throw MoneyError(code: .invalidAllocation, reason: "weights must be zero or more, and one of them greater than zero")
        }
        let whole = WideInteger(minorUnits)
        let shares = weights.map { (whole * WideInteger($0)).quotientAndRemainder(dividingBy: total) }
        var parts = shares.map { Int64(bitPattern: $0.quotient.low) }
        // Fewer units are left than parts have a remainder, because each remainder is less than one unit.
        let left = whole - shares.reduce(WideInteger(0)) { $0 + $1.quotient }
        let order = shares.indices.sorted {
            let (a, b) = (shares[$0].remainder.magnitude, shares[$1].remainder.magnitude)
            return a == b ? $0 < $1 : a > b
        }
        for index in order.prefix(Int(left.magnitude.low)) { parts[index] += left < 0 ? -1 : 1 }
        return parts.map { Amount(minorUnits: $0, currency: currency) }
    }

    /// Shares the amount into equal parts that differ by at most one minor unit, the larger ones first.
    public func split(into count: Int) throws(MoneyError) -> [Amount] {
        guard count > 0 else { throw MoneyError(code: .invalidAllocation, reason: "an amount cannot be split into \(count) parts") }
        return try allocated(by: Array(repeating: 1, count: count))
    }
}
