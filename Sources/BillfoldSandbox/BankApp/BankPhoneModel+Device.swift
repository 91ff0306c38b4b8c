package import PassKitSimulator

extension BankPhoneModel {
    /// The device in hand: with the bank's app on it, and where it is a phone, a watch beside it.
    package func device(broker: any ProvisioningBroker) -> SimulatedDevice {
        let kind: DeviceKind = self == .tablet ? .tablet : .phone
        let watch = kind == .phone && self != .withoutWallet ? SimulatedDevice(configuration(.watch), broker: broker) : nil
        return SimulatedDevice(configuration(kind), broker: broker, pairedWatch: watch)
    }

    private var account: DemoDevice.Account {
        switch self {
        case .trusted, .tablet, .withoutWallet: .trusted
        case .moved: .moved
        case .risky: .risky
        case .fresh: .fresh
        }
    }

    private func configuration(_ kind: DeviceKind) -> SimulatedDevice.Configuration {
        .init(
            model: DemoDevice.productType(kind), hasSecureElement: self != .withoutWallet, kind: kind, name: "My \(kind.rawValue)",
            appleAccount: account.rawValue, secureElementID: DemoDevice.secureElement(kind, account.rawValue),
            app: SignedApp(applicationIdentifier: DemoBankApp.identifier, adamID: DemoBankApp.adamID, mayAddPasses: true))
    }
}
