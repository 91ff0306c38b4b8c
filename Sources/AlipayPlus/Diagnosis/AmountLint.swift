import BillfoldDiagnosis
import BillfoldJSON

/// Amounts that break the currency's rule, or look a hundred times too large (reference (j)).
struct AmountLint {
    let subject: String
    let message: AlipayPlusArtifact

    func findings() -> [Finding] {
        guard let json = message.json else { return [] }
        var found: [Finding] = []
        walk(.object(json), "", &found)
        if let goods = goods(json) { found.append(goods) }
        return found
    }

    private func walk(_ value: JSONValue, _ path: String, _ found: inout [Finding]) {
        switch value {
        case .object(let object):
            if let currency = object["currency"]?.string, let text = object["value"]?.scalar {
                if let finding = judge(currency, text, path) { found.append(finding) }
                return
            }
            for member in object.members { walk(member.value, path.isEmpty ? member.key : "\(path).\(member.key)", &found) }
        case .array(let values): for (index, value) in values.enumerated() { walk(value, "\(path).\(index)", &found) }
        default: break
        }
    }

    private func judge(_ currency: String, _ text: String, _ path: String) -> Finding? {
        let evidence: [Finding.Evidence] = [
            .init("member", path), .init("currency", String(currency.prefix(8))), .init("value", String(text.prefix(24))),
        ]
        do throws(AlipayPlusError) {
            _ = try WireAmount(currency: currency, value: text).amount()
            return nil
        } catch {
            let (code, cause, mend): (String, String, String) =
                switch error.code {
                case .unknownCurrency:
                    ("alipay-plus.currency", "The currency is none of ISO 4217 in capital letters.", "Write three capital letters.")
                case .amountRule:
                    (
                        "alipay-plus.rupiah", "An amount in rupiah does not end in 00.",
                        "Rupiah count two digits on the wire that are always 00: 15000 rupiah are 1500000."
                    )
                case .malformedAmount where text.contains("."):
                    (
                        "alipay-plus.amount-decimal", "An amount has a decimal point.",
                        "Write whole smallest units: 19.99 USD is 1999, 1000 JPY is 1000."
                    )
                default: ("alipay-plus.amount-form", "An amount is no whole number of at most 16 digits.", "Write digits alone.")
                }
            return Finding(code: code, subject: subject, cause: cause, evidence: evidence, mend: mend)
        }
    }

    /// The goods' sum against the order's amount: exactly a hundred times tells the mistake.
    private func goods(_ json: JSONObject) -> Finding? {
        guard let order = json["order"]?.object, let wanted = amount(order["orderAmount"] ?? json["paymentAmount"]),
            let lines = order["goods"]?.array, !lines.isEmpty
        else { return nil }
        var sum: Int64 = 0
        for line in lines {
            guard let unit = amount(line["goodsUnitAmount"]), unit.currency == wanted.currency,
                let quantity = Int64(line["goodsQuantity"]?.scalar ?? "1"), quantity > 0
            else { return nil }
            let (product, isTooLarge) = unit.value.multipliedReportingOverflow(by: quantity)
            let (next, isOverflow) = sum.addingReportingOverflow(product)
            guard !isTooLarge, !isOverflow else { return nil }
            sum = next
        }
        let (hundredfold, isOverflow) = sum.multipliedReportingOverflow(by: 100)
        guard !isOverflow, sum > 0, hundredfold == wanted.value else { return nil }
        return Finding(
            code: "alipay-plus.amount-hundredfold", subject: subject,
            cause: "The order's amount is exactly a hundred times what its goods come to.",
            evidence: [.init("currency", wanted.currency), .init("amount", String(wanted.value)), .init("goods", String(sum))],
            mend: "JPY, KRW, VND and CLP have no smaller unit: never multiply them; others are multiplied once.")
    }

    private func amount(_ value: JSONValue?) -> (currency: String, value: Int64)? {
        guard let currency = value?["currency"]?.string, let units = value?["value"]?.scalar.flatMap({ Int64($0) }) else { return nil }
        return (currency, units)
    }
}
