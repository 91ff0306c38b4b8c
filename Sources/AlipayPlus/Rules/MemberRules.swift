import BillfoldJSON
import PaymentCrypto

/// Rules that hold for a member wherever it stands (reference (a), (e) [D]): lengths, amounts, addresses, and that nothing is empty.
enum MemberRules {
    /// The most characters of a member.
    static let lengths: [String: Int] = [
        "paymentRequestId": 64, "paymentId": 64, "refundRequestId": 64, "referenceOrderId": 64, "orderDescription": 256,
        "resultCode": 64, "resultMessage": 256, "deviceTokenId": 64, "clientIp": 32, "storeTerminalId": 64, "state": 8, "city": 32,
        "address1": 256, "address2": 256, "zipCode": 32, "authClientName": 256, "codeValue": 512, "passThroughInfo": 20_000,
        // Not published: as wide as anything that is [I].
        "paymentNotifyUrl": 1_024, "paymentRedirectUrl": 1_024, "authRedirectUrl": 1_024, "userAgent": 1_024, "paymentMethodId": 512,
    ]
    /// The most characters of every other member [I].
    static let otherLength = 512
    static let amounts: Set<String> = [
        "paymentAmount", "orderAmount", "refundAmount", "payToAmount", "goodsUnitAmount", "settlementAmount", "refundFromAmount",
        "promoAmount", "customsDeclarationAmount", "transactionAmount",
    ]
    static let currencies: Set<String> = ["settlementCurrency", "sellCurrency", "buyCurrency"]
    static let addresses: Set<String> = ["paymentNotifyUrl", "paymentRedirectUrl", "authRedirectUrl"]
    static let regions: Set<String> = ["region", "userRegion"]

    static func violations(in value: JSONValue, at path: String = "", named name: String = "") -> [RequestViolation] {
        switch value {
        case .object(let object):
            if amounts.contains(name) { return amount(object, path).map { [$0] } ?? [] }
            return object.members.flatMap { member in
                violations(in: member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)", named: member.key)
            }
        case .array(let values):
            return values.enumerated().flatMap { violations(in: $0.element, at: "\(path).\($0.offset)", named: name) }
        case .string(let text): return text.isEmpty ? [RequestViolation(path, "is empty")] : Self.text(text, path, name).map { [$0] } ?? []
        default: return []
        }
    }

    private static func text(_ text: String, _ path: String, _ name: String) -> RequestViolation? {
        let maximum = lengths[name] ?? otherLength
        guard text.unicodeScalars.count <= maximum else { return RequestViolation(path, "has more than \(maximum) characters") }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
            return RequestViolation(path, "holds a control character")
        }
        if regions.contains(name), text.utf8.count != 2 || !text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
            return RequestViolation(path, "is not two capital letters")
        }
        if addresses.contains(name), !isAddress(text) { return RequestViolation(path, "is no address with a scheme") }
        if currencies.contains(name), (try? WireCurrency(text)) == nil {
            return RequestViolation(path, "is no currency", as: .currencyNotSupport)
        }
        return nil
    }

    private static func amount(_ object: JSONObject, _ path: String) -> RequestViolation? {
        do throws(AlipayPlusError) {
            _ = try WireAmount(json: object).amount()
            return nil
        } catch {
            return RequestViolation(
                path, "is refused: \(error.reason)", as: error.code == .unknownCurrency ? .currencyNotSupport : .paramIllegal)
        }
    }

    /// A wallet returns to an app's own scheme too; who may be named is registered with the gateway.
    private static func isAddress(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        let scheme = text[..<colon.lowerBound]
        let isScheme = !scheme.isEmpty && scheme.utf8.allSatisfy { PercentEncoding.isNameByte($0) || $0 == UInt8(ascii: "+") }
        return isScheme && colon.upperBound != text.endIndex && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}
