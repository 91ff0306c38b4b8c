import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney

/// Amounts that were multiplied by a hundred once more than they should (alipay-plus.md#failures).
///
/// Two amounts of one message that are exactly a hundred times apart tell it. Where nothing is there to compare, an amount in a currency
/// without smaller units, or in rupiah, is guessed to be wrong when it is implausibly large and a hundredth of it would be a whole price.
/// The guess knows neither the goods nor the rate: it takes a real payment of ten thousand US dollars or more for a mistake, and it does
/// not see a small price that was multiplied, such as 1000 yen written as 100000.
struct HundredfoldLint {
    let subject: String
    let json: JSONObject

    private typealias Sum = (currency: String, units: Int64)

    func findings() -> [Finding] { (goods() ?? payment() ?? guess()).map { [$0] } ?? [] }

    // MARK: What is compared

    /// The goods' sum against the order's amount.
    private func goods() -> Finding? {
        guard let order = json["order"]?.object, let wanted = sum(order["orderAmount"] ?? json["paymentAmount"]),
            let lines = order["goods"]?.array, !lines.isEmpty
        else { return nil }
        var total: Int64 = 0
        for line in lines {
            guard let unit = sum(line["goodsUnitAmount"]), unit.currency == wanted.currency,
                let quantity = Int64(line["goodsQuantity"]?.scalar ?? "1"), quantity > 0
            else { return nil }
            let (product, isTooLarge) = unit.units.multipliedReportingOverflow(by: quantity)
            let (next, isOverflow) = total.addingReportingOverflow(product)
            guard !isTooLarge, !isOverflow else { return nil }
            total = next
        }
        guard Self.isHundredfold(wanted.units, of: total) else { return nil }
        return finding(
            "The order's amount is exactly a hundred times what its goods come to", amount: wanted,
            evidence: [.init("amount", String(wanted.units)), .init("goods", String(total))])
    }

    /// The payment's amount against the order's. One that is a hundredth of it may be a part of the order, and is a warning.
    private func payment() -> Finding? {
        guard let paid = sum(json["paymentAmount"]), let ordered = sum(json["order"]?["orderAmount"]), paid.currency == ordered.currency
        else { return nil }
        let evidence: [Finding.Evidence] = [
            .init("paymentAmount", String(paid.units)), .init("orderAmount", String(ordered.units)),
        ]
        if Self.isHundredfold(paid.units, of: ordered.units) {
            return finding("paymentAmount is exactly a hundred times orderAmount", amount: paid, evidence: evidence)
        }
        guard Self.isHundredfold(ordered.units, of: paid.units) else { return nil }
        return finding("orderAmount is exactly a hundred times paymentAmount", amount: paid, evidence: evidence, severity: .warning)
    }

    private static func isHundredfold(_ large: Int64, of small: Int64) -> Bool {
        let (product, isOverflow) = small.multipliedReportingOverflow(by: 100)
        return small > 0 && !isOverflow && product == large
    }

    // MARK: What is guessed

    /// From this many smallest units on an amount is implausible: about ten thousand US dollars, far over what wallets take at once.
    private static let implausible: [String: Int64] = [
        "JPY": 1_500_000, "KRW": 15_000_000, "VND": 250_000_000, "CLP": 10_000_000, "IDR": 15_000_000_000,
    ]

    private func guess() -> Finding? {
        let members = [
            ("paymentAmount", json["paymentAmount"]), ("orderAmount", json["order"]?["orderAmount"]),
            ("refundAmount", json["refundAmount"]),
        ]
        for (member, value) in members {
            guard let amount = sum(value), let least = Self.implausible[amount.currency], amount.units >= least else { continue }
            // Rupiah end in 00 as they are.
            guard amount.units.isMultiple(of: amount.currency == "IDR" ? 10_000 : 100) else { continue }
            return finding(
                "A guess: \(member) is implausibly large, and looks multiplied by a hundred", amount: amount,
                evidence: [
                    .init("member", member), .init("value", String(amount.units)), .init("a hundredth", String(amount.units / 100)),
                ],
                severity: .warning)
        }
        return nil
    }

    // MARK: Words

    private func finding(
        _ what: String, amount: Sum, evidence: [Finding.Evidence], severity: Finding.Severity = .defect
    ) -> Finding {
        let (cause, mend) = Self.words(amount.currency)
        return Finding(
            code: "alipay-plus.amount-hundredfold", severity: severity, subject: subject, cause: "\(what): \(cause)",
            evidence: [.init("currency", amount.currency)] + evidence, mend: mend)
    }

    /// The mistake that currencies of this kind invite.
    private static func words(_ letters: String) -> (cause: String, mend: String) {
        if letters == "IDR" {
            return (
                "rupiah were multiplied twice.",
                "Multiply rupiah once: 15000 rupiah are 1500000 on the wire, and the last two digits are 00."
            )
        }
        switch (try? WireCurrency(letters))?.currency.minorUnits {
        case 0?:
            return (
                "\(letters) has no smaller unit, and was multiplied all the same.", "Never multiply \(letters): 1000 \(letters) is 1000."
            )
        case 2?:
            return (
                "\(letters) was multiplied twice, or one of the two is written in whole units.",
                "Write both in the smallest unit, multiplied once: 19.99 \(letters) is 1999."
            )
        default: return ("one of the two is not in \(letters)'s smallest unit.", "Write both in the smallest unit of \(letters).")
        }
    }

    /// Nil for an amount that breaks its own rule: that is another finding.
    private func sum(_ value: JSONValue?) -> Sum? {
        guard let currency = value?["currency"]?.string, let text = value?["value"]?.scalar,
            let amount = try? WireAmount(currency: currency, value: text).amount()
        else { return nil }
        return (currency, amount.minorUnits)
    }
}
