import ApplePay

/// Green takes activation data that is valid and ours: it shows that the customer, logged in to the bank's app, asked for the pass on
/// this device (reference section 9).
public struct ActivationRule: DecisionRule {
    /// Whether a request without activation data is verified. Data that are wrong always are.
    public var isRequired: Bool

    public init(isRequired: Bool = true) { self.isRequired = isRequired }

    public func objections(to request: DecisionInputs) -> [DecisionObjection] {
        let activation = request.activation
        guard activation.isPresent else { return isRequired ? [.init(.yellow, .activationMissing)] : [] }
        guard activation.isValid else {
            switch activation.problem {
            case "AH": return [.init(.yellow, .activationExpired)]
            case "AI": return [.init(.yellow, .activationForAnother)]
            default: return [.init(.yellow, .activationInvalid)]
            }
        }
        return activation.code == .unknown ? [.init(.yellow, .activationCodeUnknown)] : []
    }
}
