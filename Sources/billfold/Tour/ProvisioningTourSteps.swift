import ApplePayApp
import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldSandbox
import Foundation
import PassKitSimulator

/// What the journey "provision a card" does at each step. Every colour follows from what the parties hold of account, device and card;
/// the tour chooses who adds a card, and asks for no colour.
@MainActor
final class ProvisioningTourSteps {
    typealias Step = (name: String, work: @MainActor () async throws -> String)

    private let addresses: ProvisioningTourParties.Addresses
    private let bankKey: String
    private let phones: [DemoDevice.Account: ProvisioningPhone]
    private let tablet: ProvisioningPhone
    private let trace: ConsoleReporter
    /// Attempts whose stories are to be whole; true where something was refused.
    private var attempts: [(name: String, isRefused: Bool)] = []

    init(addresses: ProvisioningTourParties.Addresses, bankKey: String) {
        self.addresses = addresses
        self.bankKey = bankKey
        trace = ConsoleReporter(console: addresses.trace)
        let reporter = trace.reporter
        func connection(_ origin: String) -> HTTPMerchantConnection {
            HTTPMerchantConnection(origin: origin, client: .shared, limitSeconds: 60)
        }
        let parties = ProvisioningPhone.Parties(
            issuer: connection(addresses.issuerForApp), broker: connection(addresses.broker), processor: connection(addresses.processor),
            bankKey: Secret(bankKey))
        phones = Dictionary(
            uniqueKeysWithValues: DemoDevice.Account.allCases.map {
                ($0, ProvisioningPhone(account: $0.rawValue, parties: parties, reporter: reporter))
            })
        tablet = ProvisioningPhone(.tablet, account: DemoDevice.Account.trusted.rawValue, parties: parties, reporter: reporter)
    }

    func end() { trace.end() }

    var all: [Step] {
        [
            ("an account of many years", green), ("its watch", watch), ("its tablet, UnionPay with a code by e-mail", unionPay),
            ("an account abroad proves itself with a code", yellow), ("an account seen in fraud waits for a review", orange),
            ("an account of three days is declined", red), ("suspend and resume", suspendAndResume), ("lost and found", loseAndFind),
            ("replace the card", replace), ("delete", delete), ("books", compareBooks), ("trace", readTrace),
        ]
    }

    private func phone(_ account: DemoDevice.Account) throws -> ProvisioningPhone {
        guard let phone = phones[account] else { throw CommandFailure(.ourFault, code: "phone-missing", reason: "no such phone") }
        return phone
    }

    // MARK: Adding

    private func green() async throws -> String { try await added("visa", to: .phone, of: phone(.trusted)) }

    private func watch() async throws -> String { try await added("visa", to: .watch, of: phone(.trusted)) }

    /// The bank gives UnionPay no activation data, so even this account has to prove itself.
    private func unionPay() async throws -> String {
        try await proved(try await add("unionPay", to: .tablet, of: tablet, method: "EMAIL_TO_CARDHOLDER_ADDRESS"))
    }

    private func added(_ network: String, to kind: DeviceKind, of phone: ProvisioningPhone) async throws -> String {
        let pass = try await add(network, to: kind, of: phone)
        try require(pass.activationState, is: .activated, "the pass")
        try await require(booked(pass), is: ("active", 1), "the network's books")
        return "active at once, \(pass.serialNumber)"
    }

    private func yellow() async throws -> String {
        try await proved(try await add("mastercard", to: .phone, of: phone(.moved), method: "TEXT_TO_CARDHOLDER_NUMBER"))
    }

    private func proved(_ pass: WalletPass) async throws -> String {
        try require(pass.activationState, is: .activated, "the pass after the code")
        // It was made inactive, and activated by the code.
        try await require(booked(pass), is: ("active", 2), "the network's books")
        return "active after a code, \(pass.serialNumber)"
    }

    private func orange() async throws -> String {
        let phone = try phone(.risky)
        let pass = try await add("visa", to: .phone, of: phone)
        try require(pass.activationState, is: .requiresActivation, "the pass before the review")
        try require(pass.verificationMethods?.count ?? 0, is: 0, "the ways of proof without a person")
        let review = try await until("review-missing", "the back office shows no review") {
            let page = try await TourClient.get("\(self.addresses.console)/provisioning")
            let text = String(decoding: page.body, as: UTF8.self)
            guard text.contains(pass.serialNumber) else { return nil as String? }
            return text.firstMatch(of: /data-subject="([0-9a-f]+)"/).map { String($0.1) }
        }
        struct Wish: Encodable {
            var kind = "provisioning-review"
            var subject: String
            var detail = #"{"outcome":"approve","remark":"reached by a number that the bank has known for years"}"#
        }
        struct Asked: Decodable { var id: String }
        let asked = try await TourClient.post("\(addresses.console)/api/approvals", Wish(subject: review)).read(Asked.self)
        let approved = try await TourClient.post("\(addresses.console)/api/approvals/\(asked.id)/approval", [String: String]())
        guard approved.status < 300 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the approval was answered with \(approved.status)")
        }
        try await state(.activated, of: pass, on: phone)
        return "active after a review and its approval, \(pass.serialNumber)"
    }

    private func red() async throws -> String {
        let phone = try phone(.fresh)
        let addition = try await run { try await phone.add("mastercard", to: .phone) }
        if let attempt = addition.attempt { attempts.append((attempt, true)) }
        guard case .failed(let error) = addition.outcome else {
            throw CommandFailure(.refused, code: "value-differs", reason: "the card was not declined")
        }
        try require(try await run { try await phone.passes() }.count, is: 0, "the passes of the phone")
        let element = phone.device.identity.secureElementID.lowercased()
        try require(try await network().tokens.filter { $0.secureElement?.lowercased() == element }.count, is: 0, "its tokens")
        return "no token; the app was told \(error.code)"
    }

    private func add(_ network: String, to kind: DeviceKind, of phone: ProvisioningPhone, method: String? = nil) async throws -> WalletPass
    {
        let addition = try await run { try await phone.add(network, to: kind, method: method) }
        if let attempt = addition.attempt { attempts.append((attempt, false)) }
        guard let pass = addition.pass else {
            throw CommandFailure(
                .refused, code: "card-not-added", reason: "the app says \(addition.outcome), the wallet \(addition.message ?? "nothing")")
        }
        return pass
    }

    // MARK: What happens to passes

    private struct Deed: Encodable {
        var action: String
        var reason: String
    }

    private func act(_ action: String, _ reason: String, on pass: WalletPass) async throws {
        let answer = try await TourClient.post(
            "\(addresses.console)/api/provisioning/tokens/\(pass.serialNumber)/actions", Deed(action: action, reason: reason))
        guard answer.status == 204 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "\(action) was answered with \(answer.status)")
        }
    }

    private func suspendAndResume() async throws -> String {
        let phone = try phone(.trusted)
        let pass = try await pass(of: phone)
        try await act("suspend", "L", on: pass)
        try await state(.suspended, of: pass, on: phone)
        try await act("resume", "Z", on: pass)
        try await state(.activated, of: pass, on: phone)
        return "the phone's pass followed both"
    }

    private func loseAndFind() async throws -> String {
        let phone = try phone(.moved)
        let pass = try await pass(of: phone)
        try await run { try await phone.setLost(true) }
        try await state(.suspended, of: pass, on: phone)
        try await run { try await phone.setLost(false) }
        try await state(.activated, of: pass, on: phone)
        return "the lost phone's pass alone was suspended"
    }

    private func replace() async throws -> String {
        let phone = try phone(.trusted)
        let before = try await pass(of: phone)
        struct Card: Decodable { var suffix: String }
        let made = try await TourClient.post("\(addresses.processor)/processor/control/cards/visa-1/replacement", [String: String]())
            .read(Card.self)
        // The bank learns of it when its customer comes to the app.
        try await run { _ = try await phone.cards() }
        let after = try await until("pass-unchanged", "the pass does not show the new card") {
            try await self.run { try await phone.passes() }.first { $0.id == before.id && $0.primaryAccountNumberSuffix == made.suffix }
        }
        try require(after.deviceAccountNumberSuffix, is: before.deviceAccountNumberSuffix, "the device's number")
        try require(after.activationState, is: .activated, "the pass")
        return "the token stayed and follows the card ending in \(made.suffix)"
    }

    private func delete() async throws -> String {
        let pass = try await pass(of: tablet)
        try await act("delete", "C", on: pass)
        _ = try await until("pass-there", "the deleted pass is still on the tablet") {
            try await self.run { try await self.tablet.passes() }.isEmpty ? true : nil
        }
        let phone = try phone(.trusted)
        try await run { try await phone.removeFromWatch() }
        try require(try await run { try await phone.passes() }.count, is: 1, "the passes that are left")
        return "one by the bank, one by the customer"
    }

    private func pass(of phone: ProvisioningPhone) async throws -> WalletPass {
        guard let pass = try await run({ try await phone.passes() }).first else {
            throw CommandFailure(.refused, code: "pass-missing", reason: "the device holds no pass")
        }
        return pass
    }

    private func state(
        _ state: PKSecureElementPass.PassActivationState, of pass: WalletPass, on phone: ProvisioningPhone
    ) async throws {
        _ = try await until("pass-state", "the pass did not become \(state)") {
            try await self.run { try await phone.passes() }.first { $0.id == pass.id && $0.activationState == state }
        }
    }

    // MARK: Books and trace

    private func network() async throws -> PassBooks {
        try await TourClient.get("\(addresses.network)/card-network/control/books").read(PassBooks.self)
    }

    private func booked(_ pass: WalletPass) async throws -> (String, Int) {
        let token = try await network().tokens.first { $0.tokenReference == pass.serialNumber }
        return (token?.state ?? "unknown", token?.sequence ?? 0)
    }

    private func compareBooks() async throws -> String {
        var differences: [String] = []
        let count = try await until("books-differ", "the books differ") {
            let bank = try await TourClient.get("\(self.addresses.issuerForBank)/provisioning/v1/tokens", key: self.bankKey)
                .read(PassBooks.self)
            let network = try await self.network()
            differences = PassBooks.differences(bank: bank, network: network)
            return differences.isEmpty && !bank.tokens.isEmpty ? bank.tokens.count : nil
        } orElse: {
            differences.joined(separator: "; ")
        }
        return "\(count) tokens, the same on both sides"
    }

    /// The console has one whole story for each attempt, and something was refused in the declined one alone.
    private func readTrace() async throws -> String {
        await trace.flush()
        var entries = 0
        for attempt in attempts {
            entries += try await until("trace-incomplete", "the console does not have the story of an attempt") {
                let answer = try await TourClient.get("\(self.addresses.console)/api/stories/\(attempt.name)")
                guard answer.status == 200 else { return nil as Int? }
                let story = try answer.read(ProvisioningStory.self)
                guard Set(["device", "broker", "network", "issuer"]).isSubset(of: Set(story.entries.flatMap { [$0.from, $0.to] })),
                    Set(["certificates", "cards", "provision", "enable", "decision"]).isSubset(of: story.entries.map(\.title))
                else { return nil }
                let problems = story.entries.compactMap(\.problem)
                guard problems.isEmpty != attempt.isRefused else {
                    throw CommandFailure(.refused, code: "message-refused", reason: problems.first ?? "nothing was refused")
                }
                return story.entries.count
            }
        }
        return "\(entries) messages in \(attempts.count) stories"
    }

    private struct ProvisioningStory: Decodable {
        struct Entry: Decodable {
            var from: String
            var to: String
            var title: String
            var problem: String?
        }
        var entries: [Entry]
    }

    // MARK: Helpers

    /// What a party refused is a step's failure.
    private func run<Value: Sendable>(_ body: @MainActor () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let refusal as SandboxRefusal {
            throw CommandFailure(.refused, code: refusal.code, reason: refusal.reason)
        } catch let error as BrokerError {
            throw CommandFailure(.refused, code: "broker-refused", reason: "the broker answered \(error.status)")
        }
    }

    private func require<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
        guard value == expected else {
            throw CommandFailure(.refused, code: "value-differs", reason: "\(what) is \(value), not \(expected)")
        }
    }

    private func require(_ value: (String, Int), is expected: (String, Int), _ what: String) throws {
        guard value == expected else {
            throw CommandFailure(.refused, code: "value-differs", reason: "\(what): \(value), not \(expected)")
        }
    }

    /// Asks again until there is an answer, for a while.
    private func until<Value>(
        _ code: String, _ reason: String, _ body: @MainActor () async throws -> Value?, orElse detail: () -> String = { "" }
    ) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < end {
            if let value = try await body() { return value }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(.refused, code: code, reason: [reason, detail()].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}
