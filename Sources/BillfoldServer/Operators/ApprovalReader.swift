package import BillfoldJSON
package import BillfoldMoney
import HTTPTypes

/// Reads what an operator asks for: strict JSON of known members.
package typealias ApprovalReader = ClosedObjectReader<ServerError>

extension ServerError: RequestRefusal {
    package static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .unprocessableContent)
    }
}

extension ClosedObjectReader where Refusal == ServerError {
    /// Why somebody wants it: 1 to 500 characters on one line.
    package func reason(_ key: String = "reason") throws(ServerError) -> String { try text(key, maximum: 500) }

    /// `{"amount":"12.50","currency":"CNY"}`, with as many decimals as the currency has.
    package func amount(_ key: String = "amount") throws(ServerError) -> Amount {
        guard let amount = try object(key, allowing: ["amount", "currency"]) else {
            throw Self.malformed(key, "is missing; it is an amount with its currency")
        }
        let (text, code) = (try amount.text("amount", maximum: 32), try amount.text("currency", maximum: 3))
        do throws(MoneyError) { return try Amount(text, currency: Currency(code), fraction: .exact) } catch {
            throw Self.malformed(key, "is no amount: \(error.reason)")
        }
    }
}

extension JSONObject {
    /// The members that have a value, in this order.
    package init(ordered members: KeyValuePairs<String, JSONValue?>) {
        self.init(members.compactMap { member in member.value.map { JSONObject.Member(member.key, $0) } })
    }
}

extension JSONValue {
    /// `{"amount":"12.50","currency":"CNY"}`.
    package init(_ amount: Amount) {
        self = .texts(["amount": amount.text, "currency": amount.currency.alphabeticCode])
    }
}
