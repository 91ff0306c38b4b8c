import BillfoldJSON
import BillfoldMoney

extension OrderGatewayRefund {
    /// `POST refunds`, read strictly: no member that it does not take, and none twice. Refuses with `malformed-request`, naming the field.
    init(_ body: [UInt8]) throws(WalletError) {
        let reader = try ClosedObjectReader<WalletError>(body, allowing: ["requestId", "tradeNo", "buyerID", "amount", "reason"])
        func malformed(_ field: String) -> WalletError { .malformed("\(field) is not what it must be") }
        func name(_ field: String, maximum: Int) throws(WalletError) -> String {
            let text = try reader.text(field, maximum: maximum)
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw malformed(field) }
            return text
        }
        requestID = try name("requestId", maximum: 64)
        trade = try name("tradeNo", maximum: 64)
        buyer = try name("buyerID", maximum: 16)
        guard let members = try reader.object("amount", allowing: ["value", "currency"]) else { throw malformed("amount") }
        let wire = LinkAmount(value: try members.text("value", maximum: 20), currency: try members.text("currency", maximum: 3))
        guard let amount = try? wire.amount(), amount.isPositive else { throw malformed("amount") }
        self.amount = amount
        // A merchant's words, whatever characters they are of: no refund waits for them.
        switch reader.object["reason"] {
        case nil, .null?: reason = nil
        case .string(let text)? where text.utf8.count <= 1_024: reason = text
        default: throw malformed("reason")
        }
    }
}
