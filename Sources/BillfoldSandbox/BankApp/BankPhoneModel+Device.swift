package import PassKitSimulator

extension BankPhoneModel {
    /// The device in hand: with the bank's app on it, and where it is a phone, a watch beside it.
    ///
    /// - Parameters:
    ///   - broker: Puts cards into it.
    ///   - owner: Whose device it is; `nil` for the one that everybody shares. An owner's has a secure element and an account of its own,
    ///     with the same history.
    package func device(broker: any ProvisioningBroker, of owner: String? = nil) -> SimulatedDevice {
        let kind: DeviceKind = self == .tablet ? .tablet : .phone
        let account = owner.map(account.own) ?? account.rawValue
        let watch = kind == .phone && self != .withoutWallet ? SimulatedDevice(configuration(.watch, account), broker: broker) : nil
        return SimulatedDevice(configuration(kind, account), broker: broker, pairedWatch: watch)
    }

    private var account: DemoDevice.Account {
        switch self {
        case .trusted, .tablet, .withoutWallet: .trusted
        case .moved: .moved
        case .risky: .risky
        case .fresh: .fresh
        }
    }

    private func configuration(_ kind: DeviceKind, _ account: String) -> SimulatedDevice.Configuration {
        .init(
            model: DemoDevice.productType(kind), hasSecureElement: self != .withoutWallet, kind: kind, name: "My \(kind.rawValue)",
            appleAccount: account, secureElementID: DemoDevice.secureElement(kind, account),
            app: SignedApp(applicationIdentifier: DemoBankApp.identifier, adamID: DemoBankApp.adamID, mayAddPasses: true))
    }
}
