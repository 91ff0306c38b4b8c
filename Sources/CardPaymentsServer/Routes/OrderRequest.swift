import BillfoldJSON
import BillfoldMoney
import BillfoldServer
import Foundation

extension OrderRequest {
    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(
            bytes,
            allowing: [
                "reference", "goods", "currency", "country", "merchantName", "lines", "shippingMethods", "coupons", "serviceableCountries",
                "requiredShippingContactFields", "metadata",
            ])
        reference = try body.text("reference", maximum: 128)
        guard let goods = OrderDefinition.Goods(rawValue: try body.text("goods")) else {
            throw RequestReader.malformed("goods", "is neither delivered nor electronic")
        }
        let currency: Currency
        let code = try body.text("currency")
        do throws(MoneyError) { currency = try Currency(code) } catch {
            throw RequestReader.malformed("currency", "is no currency of ISO 4217")
        }
        var lines: [OrderDefinition.Line] = []
        for line in try body.objects("lines", maximum: 100, allowing: ["label", "unitAmount", "quantity", "taxRate"]) {
            lines.append(
                OrderDefinition.Line(
                    label: try line.text("label"), unitAmount: try line.text("unitAmount", maximum: 32),
                    quantity: try line.integer("quantity", in: 1...1_000_000), taxRate: try line.optionalText("taxRate", maximum: 16) ?? "0"
                ))
        }
        guard !lines.isEmpty else { throw RequestReader.malformed("lines", "is empty") }
        var methods: [OrderDefinition.ShippingMethod] = []
        for method in try body.objects("shippingMethods", maximum: 20, allowing: ["identifier", "label", "detail", "amount"]) {
            methods.append(
                OrderDefinition.ShippingMethod(
                    identifier: try method.text("identifier", maximum: 64), label: try method.text("label"),
                    detail: method.object["detail"]?.string == "" ? "" : try method.optionalText("detail") ?? "",
                    amount: try method.text("amount", maximum: 32)))
        }
        var coupons: [OrderDefinition.Coupon] = []
        for coupon in try body.objects("coupons", maximum: 20, allowing: ["code", "label", "percentOff", "expiresAt"]) {
            coupons.append(
                OrderDefinition.Coupon(
                    code: try coupon.text("code", maximum: 64), label: try coupon.text("label"),
                    percentOff: try coupon.text("percentOff", maximum: 16),
                    expiresAt: try coupon.optionalText("expiresAt", maximum: 64).map { text throws(CardPaymentsError) in
                        try Self.instant(text)
                    }))
        }
        definition = OrderDefinition(
            goods: goods, currency: currency, country: try Self.country(body.text("country"), "country"),
            merchantName: try body.text("merchantName", maximum: 128), lines: lines, shippingMethods: methods, coupons: coupons,
            serviceableCountries: try body.texts("serviceableCountries", maximum: 250).map { text throws(CardPaymentsError) in
                try Self.country(text, "serviceableCountries")
            })
        definition.contactFields = try Self.contactFields(body)
        definition.metadata = try Self.metadata(body)
        try check()
    }

    private static func contactFields(_ body: RequestReader) throws(CardPaymentsError) -> [OrderDefinition.ContactField]? {
        let name = "requiredShippingContactFields"
        let texts = try body.texts(name, maximum: OrderDefinition.ContactField.allCases.count)
        var fields: [OrderDefinition.ContactField] = []
        for text in texts {
            guard let field = OrderDefinition.ContactField(anyones: text) else {
                throw RequestReader.malformed(name, "holds '\(text)', which is no contact field")
            }
            if !fields.contains(field) { fields.append(field) }
        }
        guard Set(texts).count == texts.count else { throw RequestReader.malformed(name, "holds something twice") }
        return fields.isEmpty ? nil : fields
    }

    /// At most 20 notes, each of a name of 40 characters and a text of 500.
    private static func metadata(_ body: RequestReader) throws(CardPaymentsError) -> [String: String]? {
        switch body.object["metadata"] {
        case nil, .null?: return nil
        case .object(let notes)? where notes.members.count <= 20:
            guard notes.members.allSatisfy({ isNoteName($0.key) }) else {
                throw RequestReader.malformed("metadata", "has a name that is not 1 to 40 letters, digits, '.', '_' or '-'")
            }
            let names = notes.members.map(\.key)
            let reader = try RequestReader(notes, path: "metadata.", allowing: names)
            var result: [String: String] = [:]
            for name in names { result[name] = try reader.text(name, maximum: 500) }
            return result.isEmpty ? nil : result
        default: throw RequestReader.malformed("metadata", "is not an object of at most 20 texts")
        }
    }

    private static func isNoteName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    private static func country(_ text: String, _ field: String) throws(CardPaymentsError) -> String {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
            throw RequestReader.malformed(field, "is not a country of ISO 3166: two capital letters")
        }
        return text
    }

    private static func instant(_ text: String) throws(CardPaymentsError) -> Date {
        guard let date = Date(rfc3339: text) else {
            throw RequestReader.malformed("coupons.expiresAt", "is not an instant like 2026-12-31T23:59:59Z")
        }
        return date
    }

    private func check() throws(CardPaymentsError) {
        let ids = definition.shippingMethods.map(\.identifier)
        guard Set(ids).count == ids.count else {
            throw CardPaymentsError(code: .identifierRepeated, reason: "shippingMethods uses an identifier twice")
        }
        let codes = definition.coupons.map(\.code)
        guard Set(codes).count == codes.count else {
            throw CardPaymentsError(code: .identifierRepeated, reason: "coupons uses a code twice")
        }
        guard definition.goods == .electronic || !definition.shippingMethods.isEmpty else {
            throw RequestReader.malformed("shippingMethods", "is empty, and goods are to be delivered")
        }
        guard definition.goods == .delivered || definition.shippingMethods.isEmpty else {
            throw RequestReader.malformed("shippingMethods", "are of no use to electronic goods")
        }
    }
}
