public import BillfoldDiagnosis

/// At least one network, each by its exact name, none twice.
public struct NetworksRule: RequestRule {
    public static let codes = [
        "apple-pay.request.networks-empty", "apple-pay.request.network-unknown", "apple-pay.request.network-repeated",
    ]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard !request.supportedNetworks.isEmpty else {
            return [
                Finding(
                    code: Self.codes[0], subject: subject, cause: "The request names no card network, so no card fits it.",
                    evidence: [.init("supportedNetworks", "[]")], mend: "List every network that the acquirer accepts for this merchant.")
            ]
        }
        var findings = request.supportedNetworks.filter { !$0.isKnown }.map { network in
            var evidence: [Finding.Evidence] = [.init("supportedNetworks", network.rawValue)]
            if let right = network.differentlyCased { evidence.append(.init("known name", right.rawValue)) }
            return Finding(
                code: Self.codes[1], subject: subject, cause: "A network's name is not one that the system knows; it is matched exactly.",
                evidence: evidence,
                mend: network.differentlyCased.map { "Write \($0.rawValue), in this letter case." }
                    ?? "Use the system's constant, and leave out networks that the running system does not know.")
        }
        var seen: Set<PaymentNetwork> = []
        for network in request.supportedNetworks where !seen.insert(network).inserted {
            findings.append(
                Finding(
                    code: Self.codes[2], severity: .warning, subject: subject, cause: "A network is listed twice.",
                    evidence: [.init("supportedNetworks", network.rawValue)], mend: "List each network once."))
        }
        return findings
    }
}
