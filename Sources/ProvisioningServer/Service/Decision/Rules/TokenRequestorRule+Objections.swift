import ApplePay

extension TokenRequestorRule: DecisionRule {
    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard let known = known[request.network], !known.contains(request.tokenRequestor) else { return [] }
        return [.init(.red, .tokenRequestorUnknown)]
    }
}
