import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments

/// The bodies of the wallet link, read strictly.
extension LinkRequest {
    fileprivate static func identifier(_ reader: RequestReader) throws(AlipayServerError) -> String {
        let id = try reader.text("requestId", maximum: 64)
        guard id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw RequestReader.malformed("requestId", "is not printable ASCII without spaces")
        }
        return id
    }

    fileprivate static func amount(_ reader: RequestReader?, _ name: String) throws(AlipayServerError) -> Amount {
        guard let reader else { throw RequestReader.malformed(name, "is missing") }
        guard let currency = try? Currency(reader.text("currency", maximum: 3)),
            let amount = try? Amount(reader.text("value", maximum: 20), currency: currency, fraction: .exact), amount.isPositive
        else { throw RequestReader.malformed(name, "is no amount above zero") }
        return amount
    }
}

extension LinkRequest.Order {
    init(_ body: [UInt8]) throws(AlipayServerError) {
        let reader = try RequestReader(body, allowing: ["requestId", "order", "tradeNo", "channel", "language"])
        requestID = try LinkRequest.identifier(reader)
        switch (try reader.optionalText("order", maximum: 65_536), try reader.optionalText("tradeNo", maximum: 64)) {
        case (let order?, nil): name = .text(order)
        case (nil, let number?): name = .trade(number)
        default: throw RequestReader.malformed("order", "or tradeNo is due, and not both")
        }
        channel = try reader.text("channel", maximum: 8)
        guard channel == "app" || channel == "h5" else { throw RequestReader.malformed("channel", "is neither app nor h5") }
        _ = try reader.optionalText("language", maximum: 16)
    }
}

extension LinkRequest.Open {
    init(_ body: [UInt8]) throws(AlipayServerError) {
        let reader = try RequestReader(body, allowing: ["requestId", "ref", "buyer"])
        requestID = try LinkRequest.identifier(reader)
        ref = try reader.text("ref", maximum: 100)
        guard let payer = try reader.object("buyer", allowing: ["id", "logonID"]) else {
            throw RequestReader.malformed("buyer", "is missing")
        }
        buyer = Trade.Buyer(id: try payer.text("id", maximum: 16), logonID: try payer.text("logonID", maximum: 100))
        guard buyer.id.utf8.count == 16, buyer.id.hasPrefix("2088"), buyer.id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw RequestReader.malformed("buyer.id", "is not 16 digits beginning 2088")
        }
        // It stands in signed notifications.
        if let offence = PairText.offence(in: buyer.logonID) { throw RequestReader.malformed("buyer.logonID", offence) }
    }
}

extension LinkRequest.Pay {
    init(_ body: [UInt8]) throws(AlipayServerError) {
        let reader = try RequestReader(body, allowing: ["requestId", "tradeNo", "buyerID", "amount", "funds"])
        requestID = try LinkRequest.identifier(reader)
        tradeNo = try reader.text("tradeNo", maximum: 64)
        buyerID = try reader.text("buyerID", maximum: 16)
        amount = try LinkRequest.amount(reader.object("amount", allowing: ["value", "currency"]), "amount")
        funds = []
        for item in try reader.objects("funds", maximum: 8, allowing: ["channel", "amount"]) {
            let part = try LinkRequest.amount(item.object("amount", allowing: ["value", "currency"]), "funds.amount")
            guard part.currency == amount.currency else { throw RequestReader.malformed("funds.amount", "is in another currency") }
            let channel = try item.text("channel", maximum: 32)
            if let offence = PairText.offence(in: channel) { throw RequestReader.malformed("funds.channel", offence) }
            funds.append(Trade.Fund(channel: channel, amount: part.minorUnits))
        }
    }
}
