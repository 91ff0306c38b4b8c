import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON

/// What shows only between two files: the same id for two payments, a sheet's data against its payment, two environments in one set.
struct PairLint {
    let messages: [(name: String, message: AlipayPlusArtifact)]
    let sheets: [(name: String, data: JSONObject)]

    private var payments: [(name: String, message: AlipayPlusArtifact, json: JSONObject)] {
        messages.compactMap { name, message in
            guard message.kind == .request, message.target.contains("/payments/pay"), let json = message.json else { return nil }
            return (name, message, json)
        }
    }

    func findings() -> [Finding] { reusedIDs() + sheets.flatMap { sheet($0.name, $0.data) } + environments() }

    private func reusedIDs() -> [Finding] {
        var first: [String: (name: String, values: [String])] = [:]
        var found: [Finding] = []
        for payment in payments {
            guard let request = try? PayRequest(json: payment.json) else { continue }
            let key = "\(payment.message.clientID) \(request.paymentRequestId)"
            guard let known = first[key] else {
                first[key] = (payment.name, request.comparedValues)
                continue
            }
            let names = ["paymentAmount", "paymentMethodType", "orderAmount"]
            let other = zip(names, zip(known.values, request.comparedValues)).filter { $0.1.0 != $0.1.1 }
            guard !other.isEmpty else { continue }
            found.append(
                Finding(
                    code: "alipay-plus.id-reused", subject: payment.name,
                    cause: "One paymentRequestId was used for two different payments.",
                    evidence: [.init("first in", known.name)] + other.map { Finding.Evidence($0.0, "\($0.1.0) and then \($0.1.1)") },
                    mend: "Make a new paymentRequestId for a new payment; repeat a request exactly as it was."))
        }
        return found
    }

    private func sheet(_ name: String, _ data: JSONObject) -> [Finding] {
        var found: [Finding] = []
        let environment = data["environment"]?.string
        for payment in payments {
            let merchant = payment.json["order"]?["merchant"]?["referenceMerchantId"]?.scalar
            if let merchant, let shown = data["merchantId"]?.scalar, merchant != shown {
                found.append(
                    Finding(
                        code: "alipay-plus.merchant-differs", subject: name, cause: "The sheet's merchant is not the one of pay.",
                        evidence: [.init("merchantId", shown), .init("referenceMerchantId", merchant), .init("pay in", payment.name)],
                        mend: "Set the app client up with the merchant id that the server sends in pay."))
            }
            if let environment, (environment == "SANDBOX") != payment.message.clientID.hasPrefix("SANDBOX_") {
                found.append(
                    Finding(
                        code: "alipay-plus.environment-mixed", subject: name,
                        cause: "The sheet's data and the payment are of two environments.",
                        evidence: [.init("environment", environment), .init("client id", payment.message.clientID)],
                        mend: "Use the sandbox's client id, keys and app environment together, or the production's."))
            }
        }
        return found
    }

    /// A sandbox client's notification address, or the other way round, is not seen; client ids of both kinds among one set are.
    private func environments() -> [Finding] {
        let sandbox = messages.first { $0.message.clientID.hasPrefix("SANDBOX_") }
        let production = messages.first { !$0.message.clientID.isEmpty && !$0.message.clientID.hasPrefix("SANDBOX_") }
        guard let sandbox, let production else { return [] }
        return [
            Finding(
                code: "alipay-plus.environment-mixed", severity: .warning, subject: production.name,
                cause: "Messages of a sandbox client and of a production client lie together.",
                evidence: [.init("sandbox", sandbox.message.clientID), .init("production", production.message.clientID)],
                mend: "A payment lives in one environment: ORDER_NOT_EXIST right after pay often means the other one was asked.")
        ]
    }
}
