import ApplePayApp
package import PassKitSimulator

/// A phone with the bank's app across HTTP, in the hands of a customer who knows beforehand what to tap.
package struct RemoteBankPhone: Sendable {
    /// What became of one card.
    package struct Addition: Sendable {
        /// The app's last word.
        package var outcome: BankScreen.Outcome
        /// What the wallet's sheet said last: whether the pass could be used, or why there is none.
        package var activation: PKSecureElementPass.PassActivationState?
        package var message: String?
        /// The attempt's name in the trace; nil where the wallet was never asked.
        package var attempt: String?
        /// The new pass, wherever it is.
        package var pass: BankScreen.Pass?
    }

    private let device: RemoteDevice<BankScreen>

    /// Takes up a phone and logs in.
    package init(opening model: BankPhoneModel, customer: String, over connection: any MerchantConnection) async throws {
        device = try await RemoteDevice(
            "/bank/phones", opening: BankAppRoutes.Opening(model: model), over: connection, session: \.session)
        try await logIn(customer)
    }

    /// Logs in, and waits for the cards. The app must show its log-in.
    package func logIn(_ customer: String) async throws {
        try await tap(.logIn, customer)
        try await until("cards-missing", reason: "the bank's app shows no cards") { !$0.isLoading && !$0.cards.isEmpty }
    }

    @discardableResult
    package func tap(_ action: BankAction, _ value: String? = nil) async throws -> BankScreen {
        try await device.tap(BankTap(action, value))
    }

    /// The first screen that shows what is waited for. Refuses with the app's own problem, and with the code when there is no such
    /// screen for a while.
    @discardableResult
    package func until(_ code: String, reason: String, _ isReached: @Sendable (BankScreen) -> Bool) async throws -> BankScreen {
        var screen = try await device.screen()
        for _ in 0..<90 {
            if isReached(screen) { return screen }
            if let problem = screen.problem { throw SandboxRefusal(code: problem.code, reason: problem.reason) }
            screen = try await device.screen(after: screen.revision, seconds: 1)
        }
        throw SandboxRefusal(code: code, reason: reason)
    }

    /// Adds the customer's card of a network to the device or its watch.
    ///
    /// - Parameters:
    ///   - network: The issuer's word: `visa`, `mastercard` or `unionPay`.
    ///   - method: The type of the method to prove by with a code, which is read from the customer's inbox; nil puts the proof off.
    package func add(_ network: String, to kind: DeviceKind, method: String? = nil) async throws -> Addition {
        let offering = try await until("card-not-offered", reason: "the app has no button for the card") {
            Self.offered(network, on: $0) != nil
        }
        guard let card = Self.offered(network, on: offering) else { return try await add(network, to: kind, method: method) }
        let known = Set(offering.allPasses.map(\.id))
        let read = offering.inbox.count
        let script = AddPassScript(device: kind, method: method) { try? await code(after: read) }
        try await tap(.add, card)
        var last: AddPassState?
        while true {
            let tapped = last
            let screen = try await until("sheet-stuck", reason: "the wallet's sheet does not go on") { screen in
                screen.outcome != nil || screen.sheet.map { $0 != tapped && $0.phase.awaitsCustomer } ?? false
            }
            if let outcome = screen.outcome {
                let pass = try await device.screen().allPasses.first { !known.contains($0.id) }
                try await tap(.continue)
                return Addition(
                    outcome: outcome, activation: last?.activationState, message: last?.message,
                    attempt: outcome.story.flatMap { $0.split(separator: ":").last.map(String.init) }, pass: pass)
            }
            guard let sheet = screen.sheet else { continue }
            last = sheet
            _ = try await device.tap(BankTap(onSheet: await script.action(on: sheet)))
        }
    }

    private static func offered(_ network: String, on screen: BankScreen) -> String? {
        screen.cards.first { $0.network == network && ($0.button.kind == .add || $0.button.kind == .addToWatch) }?.id
    }

    /// The code in the newest message that came after the first `count`.
    private func code(after count: Int) async throws -> String? {
        @Sendable func newest(_ screen: BankScreen) -> String? {
            screen.inbox.dropFirst(count).compactMap { $0.text.firstMatch(of: /\b[0-9]{6}\b/).map { String($0.output) } }.last
        }
        return newest(try await until("code-missing", reason: "no code came") { newest($0) != nil })
    }
}

extension BankScreen {
    /// The device's own passes and those of its watch.
    package var allPasses: [Pass] { passes + (watch?.passes ?? []) }
}
