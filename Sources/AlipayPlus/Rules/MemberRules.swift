import AlipayPlusValues
import BillfoldJSON
import PaymentCrypto

/// Rules that hold for a member wherever it stands (alipay-plus.md#identifiers, alipay-plus.md#objects [D]): lengths, amounts,
/// addresses, and that nothing is empty.
enum MemberRules {
    /// What a member's value is, besides a text.
    fileprivate enum Form {
        case text, amount, currency, address, region
    }

    fileprivate struct Rule {
        var form = Form.text
        /// The most characters; of every other member [I] those of ``other``.
        var length = 512
    }

    fileprivate static let other = Rule()

    /// By the members' names.
    fileprivate static let rules: [String: Rule] = {
        var rules: [String: Rule] = [:]
        let lengths = [
            "paymentRequestId": 64, "paymentId": 64, "refundRequestId": 64, "referenceOrderId": 64, "orderDescription": 256,
            "resultCode": 64, "resultMessage": 256, "deviceTokenId": 64, "clientIp": 32, "storeTerminalId": 64, "state": 8, "city": 32,
            "address1": 256, "address2": 256, "zipCode": 32, "authClientName": 256, "codeValue": 512, "passThroughInfo": 20_000,
            // Not published: as wide as anything that is [I].
            "paymentNotifyUrl": 1_024, "paymentRedirectUrl": 1_024, "authRedirectUrl": 1_024, "userAgent": 1_024,
        ]
        for (name, length) in lengths { rules[name, default: other].length = length }
        let forms: [(Form, [String])] = [
            (
                .amount,
                [
                    "paymentAmount", "orderAmount", "refundAmount", "payToAmount", "goodsUnitAmount", "settlementAmount",
                    "refundFromAmount", "promoAmount", "customsDeclarationAmount", "transactionAmount",
                ]
            ),
            (.currency, ["settlementCurrency", "sellCurrency", "buyCurrency"]),
            (.address, ["paymentNotifyUrl", "paymentRedirectUrl", "authRedirectUrl"]), (.region, ["region", "userRegion"]),
        ]
        for (form, names) in forms {
            for name in names { rules[name, default: other].form = form }
        }
        return rules
    }()

    static func violations(in message: JSONValue) -> [RequestViolation] {
        var found: [RequestViolation] = []
        examine(message, other, into: &found)
        return found
    }

    /// Adds what is wrong with a value. Where it stands is put before it on the way out, for in nearly all there is nothing wrong.
    private static func examine(_ value: JSONValue, _ rule: Rule, into found: inout [RequestViolation]) {
        switch value {
        case .object(let object):
            guard rule.form != .amount else {
                found += amount(object)
                return
            }
            for member in object.members {
                let first = found.count
                examine(member.value, rules[member.key] ?? other, into: &found)
                for index in first..<found.count { found[index].stands(in: member.key) }
            }
        case .array(let values):
            for (offset, value) in values.enumerated() {
                let first = found.count
                examine(value, rule, into: &found)
                for index in first..<found.count { found[index].stands(in: String(offset)) }
            }
        case .string(let text): if let problem = problem(text, rule) { found.append(problem) }
        default: break
        }
    }

    fileprivate static func problem(_ text: String, _ rule: Rule) -> RequestViolation? {
        if text.isEmpty { return RequestViolation("", "is empty") }
        // A character takes a byte or more.
        guard text.utf8.count <= rule.length || text.unicodeScalars.count <= rule.length else {
            return RequestViolation("", "has more than \(rule.length) characters")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return RequestViolation("", "holds a control character") }
        switch rule.form {
        case .region where text.utf8.count != 2 || !text.utf8.allSatisfy { (0x41...0x5A).contains($0) }:
            return RequestViolation("", "is not two capital letters")
        case .address where !isAddress(text): return RequestViolation("", "is no address with a scheme")
        case .currency where (try? WireCurrency(text)) == nil: return RequestViolation("", "is no currency", as: .currencyNotSupport)
        default: return nil
        }
    }

    fileprivate static func amount(_ object: JSONObject) -> [RequestViolation] {
        do throws(AlipayPlusError) {
            _ = try WireAmount(json: object).amount()
            return []
        } catch {
            let result: AlipayPlusResult = error.code == .unknownCurrency ? .currencyNotSupport : .paramIllegal
            return [RequestViolation("", "is refused: \(error.reason)", as: result)]
        }
    }

    /// A wallet returns to an app's own scheme too; who may be named is registered with the gateway.
    private static func isAddress(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { PercentEncoding.isNameByte($0) || $0 == UInt8(ascii: "+") }
        let rest = text.utf8.dropFirst(scheme.count)
        return !scheme.isEmpty && rest.starts(with: "://".utf8) && rest.count > 3 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}

/// Looks at the members of one message while they are read, by ``MemberRules``.
final class MemberChecks: MemberInspector {
    private(set) var found: [RequestViolation] = []

    /// Looks at a text. An element of a list is looked at by the rule of the list.
    func look(at text: String, in path: [any CodingKey], _ key: (any CodingKey)?) {
        let name = key is WireListReader.Index ? path.last { !($0 is WireListReader.Index) } : key
        let rule = name.flatMap { MemberRules.rules[$0.stringValue] } ?? MemberRules.other
        if let problem = MemberRules.problem(text, rule) { take([problem], in: path, key) }
    }

    func looked(atAmount value: JSONValue, in path: [any CodingKey], _ key: any CodingKey) -> Bool {
        guard case .object(let object) = value, MemberRules.rules[key.stringValue]?.form == .amount else { return false }
        take(MemberRules.amount(object), in: path, key)
        return true
    }

    private func take(_ problems: [RequestViolation], in path: [any CodingKey], _ key: (any CodingKey)?) {
        guard !problems.isEmpty else { return }
        let keys = path + (key.map { [$0] } ?? [])
        for var problem in problems {
            for outer in keys.reversed() { problem.stands(in: outer.stringValue) }
            found.append(problem)
        }
    }
}
