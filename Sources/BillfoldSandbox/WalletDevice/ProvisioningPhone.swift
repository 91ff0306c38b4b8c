package import ApplePayApp
package import BillfoldDiagnosis
import BillfoldJSON
import Foundation
package import PassKitSimulator

/// A customer's phone and its watch, with the bank's app, in the hands of somebody who knows beforehand what to tap: for a tour and for
/// simulations. The app is ``ApplePayApp``, the wallet is PassKit's simulator, and everybody else is asked over HTTP.
@MainActor
package final class ProvisioningPhone {
    /// Where the other parties are.
    package struct Parties: Sendable {
        var issuer: any MerchantConnection
        var broker: any MerchantConnection
        var processor: any MerchantConnection
        var bankKey: Secret<String>

        /// - Parameter bankKey: The key of the bank's own server at the issuer's host.
        package init(
            issuer: any MerchantConnection, broker: any MerchantConnection, processor: any MerchantConnection, bankKey: Secret<String>
        ) {
            self.issuer = issuer
            self.broker = broker
            self.processor = processor
            self.bankKey = bankKey
        }
    }

    /// What became of one card.
    package struct Addition: Sendable {
        package var outcome: AddPassOutcome
        /// The attempt's name in the trace; nil when the wallet was never asked.
        package var attempt: String?
        package var pass: WalletPass?
        /// What the wallet showed last.
        package var message: String?
    }

    package let account: String
    package let device: SimulatedDevice
    private let broker: WalletDevice
    private let parties: Parties
    private let customer: String

    /// - Parameters:
    ///   - account: The Apple account, whose history the broker knows: see ``DemoDevice/Account``.
    ///   - kind: A phone, or a tablet, which has no watch.
    package init(_ kind: DeviceKind = .phone, account: String, customer: String = "c-1", parties: Parties, reporter: PartyReporter) {
        self.account = account
        self.customer = customer
        self.parties = parties
        broker = WalletDevice(broker: parties.broker, reporter: reporter)
        func configuration(_ kind: DeviceKind) -> SimulatedDevice.Configuration {
            .init(
                model: DemoDevice.productType(kind), kind: kind, name: DemoDevice.name(kind), appleAccount: account,
                secureElementID: DemoDevice.secureElement(kind, account),
                app: SignedApp(
                    applicationIdentifier: DemoBankApp.identifier, adamID: DemoBankApp.adamID, mayAddPasses: true))
        }
        let watch = kind == .phone ? SimulatedDevice(configuration(.watch), broker: broker) : nil
        device = SimulatedDevice(configuration(kind), broker: broker, pairedWatch: watch)
    }

    // MARK: Adding a card

    /// Logs in, and adds the customer's card of a network to the device or its watch.
    ///
    /// - Parameters:
    ///   - network: The issuer's word: `visa`, `mastercard` or `unionPay`.
    ///   - method: The type of the method to prove by with a code, which is read from the customer's inbox; nil puts the proof off.
    package func add(_ network: String, to kind: DeviceKind, method: String? = nil) async throws -> Addition {
        let issuer = try await logIn(for: kind)
        guard let card = try await issuer.cards().first(where: { $0.network == network }) else {
            throw SandboxRefusal(code: "card-unknown", reason: "the customer has no card of this network")
        }
        if case .disabled(let code, let reason) = try await issuer.eligibility(card: card.id) {
            throw SandboxRefusal(code: code, reason: reason)
        }
        let read = try await inbox().count
        let script = AddPassScript(device: kind, method: method) { [weak self] in try? await self?.newestCode(after: read) }
        let screen = UIViewController()
        var playing: Task<AddPassState, Never>?
        let outcome = await SimulatedDevice.$current.withValue(device) {
            let flow = AddPassFlow(card: card, issuer: issuer, inventory: PassInventory()) { [device] controller in
                screen.present(controller, animated: true)
                playing = device.addPassSheet.map { sheet in Task { await sheet.play(script) } }
            }
            return await flow.start()
        }
        let last = await playing?.value
        let holder = holder(of: kind)
        return Addition(
            outcome: outcome, attempt: broker.attempt(on: holder.identity), pass: holder.passes.first { $0.id == Self.serial(of: outcome) },
            message: last?.message)
    }

    private static func serial(of outcome: AddPassOutcome) -> String? {
        switch outcome {
        case .added(let pass), .pendingActivation(let pass): pass.serialNumber
        case .cancelled, .unknown, .failed: nil
        }
    }

    private func logIn(for kind: DeviceKind) async throws -> HTTPIssuerServer {
        struct Wish: Encodable {
            var customer: String
            var device: String
        }
        struct Session: Decodable { var token: String }
        let identity = holder(of: kind).identity
        let answer = try await parties.issuer.send(
            HTTPQuestion(
                method: "POST", path: "/provisioning/v1/sessions",
                headers: [("Authorization", "Bearer \(parties.bankKey.reveal())"), ("Content-Type", "application/json")],
                body: try Data(JSONDocument.encode(Wish(customer: customer, device: device.identity.secureElementID)))))
        guard answer.status == 201, let session = try? JSONDecoder().decode(Session.self, from: answer.body) else {
            let refusal = PartyRefusal(answer)
            throw SandboxRefusal(
                code: refusal?.code ?? "session-refused", reason: refusal?.reason ?? "the issuer's host answered \(answer.status)")
        }
        let (connection, broker) = (parties.issuer, broker)
        return HTTPIssuerServer(session: Secret(session.token)) { question in
            var question = question
            if question.method == "POST", let attempt = broker.attempt(on: identity) {
                question.headers.append((PartyIntake.attemptHeader, attempt))
            }
            return try await connection.send(question)
        }
    }

    private func holder(of kind: DeviceKind) -> SimulatedDevice { kind == .watch ? device.pairedWatch ?? device : device }

    /// The customer opens the bank's app: the bank reads his cards anew.
    package func cards() async throws -> [IssuerCard] { try await logIn(for: device.identity.kind).cards() }

    // MARK: Afterwards

    /// The passes of phone and watch as they stand at the broker now.
    package func passes() async throws -> [WalletPass] {
        try await device.refreshPasses()
        return device.passes + (device.pairedWatch?.passes ?? [])
    }

    /// The customer removes what the watch holds.
    package func removeFromWatch() async throws {
        for pass in device.pairedWatch?.passes ?? [] { try await device.removePass(pass.id) }
    }

    /// The owner lost the phone or found it again.
    package func setLost(_ isLost: Bool) async throws { try await broker.setLost(isLost, device.identity) }

    /// What the customer received, oldest first.
    private func inbox() async throws -> [String] {
        struct Inbox: Decodable {
            struct Message: Decodable { var text: String }
            var messages: [Message]
        }
        let answer = try await parties.processor.send(
            HTTPQuestion(
                method: "GET", path: "/processor/v1/inbox?customer=\(PartyLine.encoded(customer))", headers: [], body: nil))
        return try JSONDecoder().decode(Inbox.self, from: answer.body).messages.map(\.text)
    }

    /// The code in the newest message that came after the first `count`; waits for it a while.
    private func newestCode(after count: Int) async throws -> String? {
        for _ in 0..<100 {
            let codes = try await inbox().dropFirst(count).compactMap { $0.firstMatch(of: /\b[0-9]{6}\b/).map { String($0.output) } }
            if let code = codes.last { return code }
            try await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }
}
