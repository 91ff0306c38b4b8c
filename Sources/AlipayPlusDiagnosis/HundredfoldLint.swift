import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney

/// Amounts that were multiplied by a hundred once more, or once less, than they should (alipay-plus.md#failures).
///
/// Two amounts of one message that are exactly a hundred times apart tell it. How much a single amount should be, nobody knows here: it
/// may be
/// a car or a flight for six.
struct HundredfoldLint {
    let subject: String
    let json: JSONObject

    private typealias Sum = (currency: String, units: Int64)

    func findings() -> [Finding] { (goods() ?? payment()).map { [$0] } ?? [] }

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
        let evidence: [Finding.Evidence] = [.init("amount", String(wanted.units)), .init("goods", String(total))]
        if Self.isHundredfold(total, of: wanted.units) {
            return finding(
                "The order's amount is exactly a hundredth of what its goods come to", amount: wanted, evidence: evidence, isDivided: true)
        }
        guard Self.isHundredfold(wanted.units, of: total) else { return nil }
        return finding("The order's amount is exactly a hundred times what its goods come to", amount: wanted, evidence: evidence)
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

    // MARK: Words

    private func finding(
        _ what: String, amount: Sum, evidence: [Finding.Evidence], severity: Finding.Severity = .defect, isDivided: Bool = false
    ) -> Finding {
        let (cause, mend) = isDivided ? Self.wordsOfDivision(amount.currency) : Self.words(amount.currency)
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

    private static func wordsOfDivision(_ letters: String) -> (cause: String, mend: String) {
        let hasNone = (try? WireCurrency(letters))?.currency.minorUnits == 0
        return hasNone
            ? ("\(letters) has no smaller unit, and was divided all the same.", "Never divide \(letters): 1000 \(letters) is 1000.")
            : ("one of the two is written in whole units.", "Write both in the smallest unit of \(letters).")
    }

    /// Nil for an amount that breaks its own rule: that is another finding.
    private func sum(_ value: JSONValue?) -> Sum? {
        guard let currency = value?["currency"]?.string, let text = value?["value"]?.scalar,
            let amount = try? WireAmount(currency: currency, value: text).amount()
        else { return nil }
        return (currency, amount.minorUnits)
    }
}
