public import BillfoldDiagnosis

/// `threeDSecure` is required, and unknown capabilities are a mistake. [D]
public struct CapabilitiesRule: RequestRule {
    public static let codes = ["apple-pay.request.three-d-secure-missing", "apple-pay.request.capability-unknown"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let names = request.merchantCapabilities.map(\.rawValue).sorted()
        var findings: [Finding] = []
        if !request.merchantCapabilities.contains(.threeDSecure) {
            findings.append(
                Finding(
                    code: Self.codes[0], subject: subject, cause: "merchantCapabilities lacks threeDSecure, which every request needs.",
                    evidence: [.init("merchantCapabilities", names.joined(separator: ","))],
                    mend: "Add threeDSecure (supports3DS on the web)."))
        }
        for capability in request.merchantCapabilities.subtracting(MerchantCapability.known).sorted(by: { $0.rawValue < $1.rawValue }) {
            findings.append(
                Finding(
                    code: Self.codes[1], subject: subject, cause: "A merchant capability is unknown.",
                    evidence: [.init("merchantCapabilities", capability.rawValue)],
                    mend: "Use threeDSecure, emv, debit, credit or instantFundsOut."))
        }
        return findings
    }
}
