import BillfoldMoney
import BillfoldPayments

/// A refund that the gateway asks for.
struct OrderGatewayRefund: Sendable {
    let requestID: String
    let trade: String
    let buyer: String
    let amount: Amount
    let reason: String?

    var fingerprint: RequestFingerprint {
        RequestFingerprint(texts: ["refund", trade, buyer, amount.description, reason ?? ""])
    }
}
