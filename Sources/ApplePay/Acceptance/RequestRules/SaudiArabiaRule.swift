public import BillfoldDiagnosis

/// Merchants in Saudi Arabia must accept `mada`. [D]
public struct SaudiArabiaRule: RequestRule {
    public static let codes = ["apple-pay.request.mada-missing"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard request.countryCode == "SA", !request.supportedNetworks.contains(.mada) else { return [] }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "The processing country is SA and mada is not among the networks.",
                evidence: [.init("supportedNetworks", request.supportedNetworks.map(\.rawValue).joined(separator: ","))],
                mend: "Add mada to supportedNetworks.")
        ]
    }
}
