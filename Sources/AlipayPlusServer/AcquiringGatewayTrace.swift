import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the gateway says and hears, decoded and masked: never a key, a token, a payment code or a person's id.
struct AcquiringGatewayTrace: ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let gateway: Party = "alipay-plus"
    static let own = gateway
    static let acquirer: Party = "acquirer"
    /// Each wallet has a line of its own.
    static func wallet(_ type: String) -> Party { Party(rawValue: "wallet:\(type)") }

    static func about(_ payment: AcquirerPayment) -> [String: String] {
        ["alipay-plus.payment": payment.paymentID, "alipay-plus.request": payment.requestID, "alipay-plus.sheet": payment.reference]
    }

    static func about(_ payment: AcquirerPayment, leg: TimeOrderedID) -> [String: String] {
        var about = about(payment)
        about["alipay-plus.wallet-request"] = payment.walletRequestID(of: leg)
        return about
    }

    static func fields(_ result: AlipayPlusResult) -> [(String, String)] {
        [("resultCode", result.resultCode), ("resultStatus", result.resultStatus.rawValue)]
    }
}
