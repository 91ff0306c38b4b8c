import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the gateway says and hears, decoded and masked: never a key, a token, a payment code or a person's id.
struct GatewayTrace: Sendable, ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let gateway: Party = "alipay-plus"
    static let acquirer: Party = "acquirer"
    /// Each wallet has a line of its own.
    static func wallet(_ type: String) -> Party { Party(rawValue: "wallet:\(type)") }

    /// Returns the entry's id.
    @discardableResult
    func record(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: [(String, String)] = [], about: [String: String],
        problem: String? = nil
    ) -> String {
        let now = clock.now()
        let id = identifiers.next(at: now).description
        sink.record(
            TraceEntry(
                id: id, at: now.microseconds, from: from, to: to, kind: kind, title: title, correlation: about,
                fields: fields.map { TraceEntry.Field($0.0, $0.1) }, problem: problem))
        return id
    }

    func note(_ title: String, fields: [(String, String)] = [], about: [String: String], problem: String? = nil) {
        record(title, .note, from: Self.gateway, to: Self.gateway, fields: fields, about: about, problem: problem)
    }

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
