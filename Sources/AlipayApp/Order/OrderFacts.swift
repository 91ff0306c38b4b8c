public import Alipay
import BillfoldJSON
import BillfoldMoney
import Crypto
public import Foundation

/// What a client keeps of an order: enough to know its result again, and nothing that could be used to pay.
public struct OrderFacts: Sendable, Hashable, Codable {
    /// `out_trade_no`.
    public let orderNumber: String
    public let generation: AlipayGeneration
    /// `app_id` and `total_amount` of a modern order, as text.
    public let appID: String?
    public let totalAmount: String?
    /// SHA-256 of what the result of this legacy order repeats before its `success`: all pairs as they were sent without `sign` and
    /// `sign_type`, or those of them that do not stand behind both [V].
    public let resultDigests: Set<Data>

    /// Reads an order string. `order-malformed` when it is none, is not signed, or has no `out_trade_no`.
    public init(_ text: String) throws(AlipayAppError) {
        do {
            switch try ExpressOrder(Array(text.utf8), reading: .asObserved) {
            case .legacy(let order): try self.init(order)
            case .unquoted(let order): try self.init(order)
            case .modern(let order): try self.init(order)
            }
        } catch let error as AlipayAppError {
            throw error
        } catch {
            throw AlipayAppError(code: .orderMalformed, reason: "the order string cannot be read: \(error)")
        }
    }

    private init(_ order: LegacyOrder) throws {
        let number = try order.pairs.first { $0.name == "out_trade_no" }.map { try order.charset.decode($0.value) }
        let trailing = Set(order.trailingNames)
        let all = order.pairs.filter { $0.name != "sign" && $0.name != "sign_type" }
        try self.init(number: number, .legacy, digests: [Self.digest(all), Self.digest(all.filter { !trailing.contains($0.name) })])
    }

    private init(_ order: LegacyServiceRequest) throws {
        // How the result of an order without quotation marks looks is not known: it is never believed on the phone.
        try self.init(number: order.parameters["out_trade_no"], .legacy)
    }

    private init(_ order: ModernOrder) throws {
        let content = try AlipayJSON.read(order.parameters["biz_content"] ?? "")
        guard order.parameters["sign"] != nil else {
            throw AlipayAppError(code: .orderMalformed, reason: "the order string is not signed")
        }
        try self.init(
            number: content["out_trade_no"]?.scalar, .modern, appID: order.appID, totalAmount: content["total_amount"]?.scalar)
    }

    private init(
        number: String?, _ generation: AlipayGeneration, appID: String? = nil, totalAmount: String? = nil, digests: Set<Data> = []
    ) throws(AlipayAppError) {
        guard let number, !number.isEmpty else {
            throw AlipayAppError(code: .orderMalformed, reason: "the order string has no out_trade_no")
        }
        orderNumber = number
        self.generation = generation
        self.appID = appID
        self.totalAmount = totalAmount
        resultDigests = digests
    }

    /// Whether a verified result is of this very order. One of another merchant under the same number verifies too, and one of
    /// another amount: only the comparison tells.
    func isOrder(of result: VerifiedPaymentResult) -> Bool {
        guard result.saysPaid, ExactText.equal(result.outTradeNo, orderNumber) else { return false }
        switch result.content {
        case .legacy(let parameters):
            return resultDigests.contains(Self.digest(parameters.pairs.filter { $0.name != "success" }))
        case .modern:
            guard let appID, result["app_id"] == appID, let totalAmount, let told = result["total_amount"] else { return false }
            guard let sent = try? Amount(totalAmount, currency: .cny), let paid = try? Amount(told, currency: .cny) else { return false }
            return sent == paid
        }
    }

    private static func digest(_ pairs: [LegacyOrder.Pair]) -> Data {
        var hash = SHA256()
        for pair in pairs { hash.update(data: Array("\(pair.name)=\"".utf8) + pair.value + Array("\"&".utf8)) }
        return Data(hash.finalize())
    }
}
