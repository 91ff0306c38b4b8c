package import PassKitSimulator

/// The parties and the clock that a phone with the bank's app meets.
package struct BankSurroundings: Sendable {
    /// The issuer's host, where the app asks with its session's token.
    package var issuer: any MerchantConnection
    package var backEnd: any BankBackEnd
    package var messages: any MessageReader
    /// The phone of a model and an owner, with the watch that is paired to it. Two sessions of one model and owner, or of one model and
    /// nobody's, hold the same secure element: what one of them puts into it, the other finds there.
    package var device: @MainActor @Sendable (_ model: BankPhoneModel, _ owner: String?) -> SimulatedDevice
    package var reporter: PartyReporter
    /// Between two looks at passes and messages.
    package var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    package var customers = BankCustomer.demo
    /// The attempt that a device makes or made last, as ``WalletDevice`` names it; nil without one.
    package var attempt: @Sendable (SimulatedDevice) -> String? = { _ in nil }
    /// The address of an attempt's messages in the console; nil without one.
    package var story: @Sendable (_ attempt: String) -> String? = { _ in nil }

    package init(
        issuer: any MerchantConnection, backEnd: any BankBackEnd, messages: any MessageReader, reporter: PartyReporter,
        device: @escaping @MainActor @Sendable (_ model: BankPhoneModel, _ owner: String?) -> SimulatedDevice
    ) {
        self.issuer = issuer
        self.backEnd = backEnd
        self.messages = messages
        self.reporter = reporter
        self.device = device
    }

    /// The sandbox's devices, which reach the broker over HTTP.
    package init(
        issuer: any MerchantConnection, backEnd: any BankBackEnd, messages: any MessageReader, reporter: PartyReporter, wallet: WalletDevice
    ) {
        self.init(issuer: issuer, backEnd: backEnd, messages: messages, reporter: reporter) { $0.device(broker: wallet, of: $1) }
        attempt = { wallet.attempt(on: $0.identity) }
    }
}

/// The bank's customers whom a visitor can be. People are made up.
package enum BankCustomer {
    package static let demo = [
        BankScreen.Customer(id: "c-1", name: "Mei Lin", detail: "Three cards, one of each network"),
        BankScreen.Customer(id: "c-2", name: "Ana Specimen", detail: "A closed card and a blocked one"),
    ]
}
