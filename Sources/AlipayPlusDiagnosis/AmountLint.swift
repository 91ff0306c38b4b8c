import AlipayPlus
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON

/// Amounts that break the currency's rule, or look a hundred times too large (alipay-plus.md#failures).
struct AmountLint {
    let subject: String
    let message: AlipayPlusArtifact

    func findings() -> [Finding] {
        guard let json = message.json else { return [] }
        var found: [Finding] = []
        walk(.object(json), at: "", into: &found)
        return found + HundredfoldLint(subject: subject, json: json).findings()
    }

    private func walk(_ value: JSONValue, at path: String, into found: inout [Finding]) {
        switch value {
        case .object(let object):
            if let currency = object["currency"]?.string, let text = object["value"]?.scalar {
                if let finding = judge(currency, value: text, at: path) { found.append(finding) }
                return
            }
            for member in object.members { walk(member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)", into: &found) }
        case .array(let values): for (index, value) in values.enumerated() { walk(value, at: "\(path).\(index)", into: &found) }
        default: break
        }
    }

    private func judge(_ currency: String, value text: String, at path: String) -> Finding? {
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
}
