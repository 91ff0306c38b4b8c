import BillfoldJSON
import BillfoldMoney

/// Exactly one of `total_fee` and `rmb_fee`, and `rmb_fee` only with a settlement currency.
public struct OnePriceRule: OrderRule {
    public let code = "alipay.one-price"

    public func violation(in order: OrderValues) -> RuleViolation? {
        switch (order["total_fee"], order["rmb_fee"]) {
        case (nil, nil): broken("total_fee", "is missing", isMissing: true)
        case (_?, _?): broken("rmb_fee", "stands beside total_fee")
        case (nil, _?): order["currency"] == nil ? broken("currency", "is missing beside rmb_fee", isMissing: true) : nil
        case (_?, nil): nil
        }
    }
}

/// An amount: its digits, and its range.
public struct AmountRule: OrderRule {
    public let code = "alipay.amount"
    let name: String
    /// In major units.
    let domesticMaximum: Int64
    let crossBorderMaximum: Int64
    /// `rmb_fee` and modern amounts are in CNY whatever the settlement.
    let isRenminbi: Bool
    let reading: AlipayReading

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let text = order[name] else { return nil }
        let settlement = order["currency"]
        var currency = Currency.cny
        if !isRenminbi, let settlement {
            // A currency that is not known is another rule's.
            guard let known = try? Currency(settlement) else { return nil }
            currency = known
        }
        let amount: Amount
        do { amount = try Amount(alipay: text, currency: currency, reading: reading) } catch {
            return broken(
                name, "is no amount in \(currency) that is greater than zero, with \(currency.fractionDigits) digits behind the point")
        }
        let maximum = settlement == nil ? domesticMaximum : crossBorderMaximum
        guard amount.minorUnits <= maximum * currency.scale else { return broken(name, "is more than \(maximum).00") }
        return nil
    }
}

/// `currency`: three upper-case letters of a settlement currency, never CNY; which of them, the contract says.
public struct SettlementCurrencyRule: OrderRule {
    public let code = "alipay.settlement-currency"

    public func violation(in order: OrderValues) -> RuleViolation? {
        guard let value = order["currency"] else { return nil }
        guard let currency = try? Currency(value) else { return broken("currency", "is no currency's code in upper case") }
        return currency == .cny ? broken("currency", "is CNY, which no contract settles in") : nil
    }
}

/// `forex_biz` is `FP` in every cross-border order and stands in no other.
public struct ForexRule: OrderRule {
    public let code = "alipay.forex"

    public func violation(in order: OrderValues) -> RuleViolation? {
        switch (order["currency"], order["forex_biz"]) {
        case (nil, _?): broken("currency", "is missing beside forex_biz", isMissing: true)
        case (_?, nil): broken("forex_biz", "is missing beside currency", isMissing: true)
        case (_, let value?) where value != "FP": broken("forex_biz", "is not FP")
        default: nil
        }
    }
}

/// `split_fund_info`: at most ten receivers, in the settlement currency (CNY with `rmb_fee`), together not more than the order.
public struct SplitFundRule: OrderRule {
    public let code = "alipay.split-fund"
    let reading: AlipayReading

    public func violation(in order: OrderValues) -> RuleViolation? {
        let name = "split_fund_info"
        guard order[name] != nil else { return nil }
        guard let receivers = order.json(name)?.array, !receivers.isEmpty else { return broken(name, "is no list of receivers") }
        guard receivers.count <= 10 else { return broken(name, "names more than ten receivers") }
        let isRenminbi = order["rmb_fee"] != nil
        guard let settlement = order["currency"], let currency = isRenminbi ? .cny : try? Currency(settlement),
            let total = try? Amount(alipay: order[isRenminbi ? "rmb_fee" : "total_fee"] ?? "", currency: currency, reading: .asObserved)
        else { return broken(name, "belongs to cross-border orders with a price") }
        var sum = Amount.zero(currency)
        for receiver in receivers {
            guard let account = receiver["transIn"]?.string, account.utf8.count == 16, account.hasPrefix("2088"),
                receiver["currency"]?.string == currency.alphabeticCode,
                let part = receiver["amount"]?.scalar.flatMap({ try? Amount(alipay: $0, currency: currency, reading: reading) }),
                let next = try? sum + part
            else { return broken(name, "names a receiver without a 2088 account, an amount, or the order's currency") }
            sum = next
        }
        return sum.minorUnits <= total.minorUnits ? nil : broken(name, "gives away more than the order's amount")
    }
}
