/// The rules that make the add-pass controller nil. One case, one rule.
public enum AddPassRule: String, Sendable, CaseIterable {
    case deviceCannotAdd = "device-cannot-add-passes"
    case notEntitled = "not-entitled"
    case nameAndSuffixMissing = "name-and-suffix-missing"

    @MainActor
    static func broken(by configuration: PKAddPaymentPassRequestConfiguration, on device: SimulatedDevice) -> AddPassRule? {
        allCases.first { $0.isBroken(by: configuration, on: device) }
    }

    @MainActor
    private func isBroken(by configuration: PKAddPaymentPassRequestConfiguration, on device: SimulatedDevice) -> Bool {
        switch self {
        case .deviceCannotAdd: !device.canMakePayments
        case .notEntitled: !device.configuration.app.mayAddPasses
        case .nameAndSuffixMissing:
            (configuration.cardholderName ?? "").isEmpty && (configuration.primaryAccountSuffix ?? "").isEmpty
        }
    }
}
