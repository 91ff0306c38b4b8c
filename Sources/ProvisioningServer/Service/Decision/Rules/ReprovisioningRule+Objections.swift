import ApplePay
import BillfoldStorage

extension ReprovisioningRule: DecisionRule {
    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard !request.earlierProvisionings.isEmpty else { return [] }
        let returns = request.earlierProvisionings.sorted().dropFirst() + [request.at]
        let isExceeded = limits.contains { limit in
            let begin = request.at.advanced(by: .seconds(-86_400 * Int64(limit.days)))
            return returns.count { $0 > begin } > limit.count
        }
        return isExceeded ? [.init(colour, .tooManyReprovisionings)] : []
    }
}
