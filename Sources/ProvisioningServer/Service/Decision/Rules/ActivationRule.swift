import ApplePay

/// Green takes activation data that is valid and ours: it shows that the customer, logged in to the bank's app, asked for the pass on
/// this device (provisioning.md#colours).
package struct ActivationRule: DecisionRule {
    /// Whether a request without activation data is verified. Data that are wrong always are.
    package var isRequired: Bool

    package init(isRequired: Bool = true) { self.isRequired = isRequired }

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        let activation = request.activation
        guard activation.isPresent else { return isRequired ? [.init(.yellow, .activationMissing)] : [] }
        guard activation.isValid else {
            switch activation.problem {
            case "AH": return [.init(.yellow, .activationExpired)]
            case "AI": return [.init(.yellow, .activationForAnother)]
            default: return [.init(.yellow, .activationInvalid)]
            }
        }
        switch activation.code {
        case .matching: return []
        case .unknown: return [.init(.yellow, .activationCodeUnknown)]
        case .used: return [.init(.yellow, .activationCodeUsed)]
        // Visa's form has a code, Mastercard's has a signature in its place (provisioning.md#authentication-value).
        case .none: return request.network == .visa ? [.init(.yellow, .activationCodeMissing)] : []
        }
    }
}
