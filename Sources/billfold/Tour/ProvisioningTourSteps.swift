import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldSandbox
import Foundation
import PassKitSimulator

/// What the journey "provision a card" does at each step. Every colour follows from what the parties hold of account, device and card;
/// the tour chooses who adds a card, and asks for no colour. It taps on devices that run in a process of their own.
@MainActor
final class ProvisioningTourSteps {
    typealias Step = (name: String, work: @MainActor () async throws -> String)

    /// One card on its way into a wallet, and what must come of it.
    private struct Attempt {
        var network: String
        var kind = DeviceKind.phone
        var model: BankPhoneModel
        var method: String?
        /// What the app has to say in the end.
        var outcome: BankScreen.Outcome.Kind
        /// What the bank has to decide, and why: its own word for it.
        var colour: String
        var reasons: Set<String> = []
    }

    private static let customer = "c-1"

    private let addresses: ProvisioningTourParties.Addresses
    private let bankKey: String
    private let operators: TourOperators
    private var phones: [BankPhoneModel: RemoteBankPhone] = [:]
    /// Whoever asks for things at the back office.
    private var session: TourClient.Session?
    /// Attempts whose stories are to be whole; true where something was refused.
    private var attempts: [(name: String, isRefused: Bool)] = []

    init(addresses: ProvisioningTourParties.Addresses, bankKey: String, operators: TourOperators) {
        self.addresses = addresses
        self.bankKey = bankKey
        self.operators = operators
    }

    var all: [Step] {
        [
            ("an account of many years", green), ("its second card", second), ("its watch", watch),
            ("its tablet, UnionPay with a code by e-mail", unionPay),
            ("an account abroad proves itself with a code", yellow), ("an account seen in fraud waits for a review", orange),
            ("an account of three days is declined", red), ("suspend and resume", suspendAndResume), ("lost and found", loseAndFind),
            ("replace the card", replace), ("delete", delete), ("books", compareBooks), ("trace", readTrace),
        ]
    }

    private func phone(_ model: BankPhoneModel) async throws -> RemoteBankPhone {
        if let phone = phones[model] { return phone }
        let connection = HTTPMerchantConnection(origin: addresses.devices, client: .shared, limitSeconds: 60)
        let phone = try await run { try await RemoteBankPhone(opening: model, customer: Self.customer, over: connection) }
        phones[model] = phone
        return phone
    }

    private func asking() async throws -> TourClient.Session {
        if let session { return session }
        let session = try await TourOperators.signIn(operators.first, at: addresses.console)
        self.session = session
        return session
    }

    // MARK: Adding

    private func green() async throws -> String {
        try await added(Attempt(network: "visa", model: .trusted, outcome: .ready, colour: "green"))
    }

    private func second() async throws -> String {
        try await added(Attempt(network: "mastercard", model: .trusted, outcome: .ready, colour: "green"))
    }

    private func watch() async throws -> String {
        try await added(Attempt(network: "visa", kind: .watch, model: .trusted, outcome: .ready, colour: "green"))
    }

    /// The bank gives UnionPay no activation data, so even this account has to prove itself.
    private func unionPay() async throws -> String {
        try await proved(
            Attempt(
                network: "unionPay", kind: .tablet, model: .tablet, method: "EMAIL_TO_CARDHOLDER_ADDRESS", outcome: .ready,
                colour: "yellow", reasons: ["activation-missing"]))
    }

    private func added(_ attempt: Attempt) async throws -> String {
        let pass = try await add(attempt)
        try await require(booked(pass), is: ("active", 1), "the network's books")
        return "active at once, \(pass.id)"
    }

    private func yellow() async throws -> String {
        try await proved(
            Attempt(
                network: "mastercard", model: .moved, method: "TEXT_TO_CARDHOLDER_NUMBER", outcome: .ready, colour: "yellow",
                reasons: ["outside-home-territory"]))
    }

    private func proved(_ attempt: Attempt) async throws -> String {
        let pass = try await add(attempt)
        // It was made inactive, and activated by the code.
        try await require(booked(pass), is: ("active", 2), "the network's books")
        return "active after a code, \(pass.id)"
    }

    private func orange() async throws -> String {
        let pass = try await add(
            Attempt(network: "visa", model: .risky, outcome: .review, colour: "orange", reasons: ["wallet-high-risk"]))
        try require(pass.state, is: .requiresActivation, "the pass before the review")
        try require(pass.methods.count, is: 0, "the ways of proof without a person")
        let asking = try await asking()
        let review = try await until("review-missing", reason: "the back office shows no review") {
            let page = try await TourClient.get("\(self.addresses.console)/provisioning", as: asking)
            let text = String(decoding: page.body, as: UTF8.self)
            guard text.contains(pass.id) else { return nil as String? }
            return text.firstMatch(of: /data-subject="([0-9a-f]+)"/).map { String($0.1) }
        }
        struct Wish: Encodable {
            var kind = "provisioning-review"
            var subject: String
            var detail = #"{"outcome":"approve","remark":"reached by a number that the bank has known for years"}"#
        }
        struct Asked: Decodable { var id: String }
        let asked = try await TourClient.post("\(addresses.console)/api/approvals", as: asking, Wish(subject: review)).read(Asked.self)
        // Whoever asks may agree to what others ask for, and not to this.
        let approval = "\(addresses.console)/api/approvals/\(asked.id)/approval"
        let own = try await TourClient.post(approval, as: asking, [String: String]())
        try require(own.code ?? "\(own.status)", is: "same-person", "the answer to whoever agrees with himself")
        try require(
            try await phone(.risky).until("pass-missing", reason: "the pass went") { !$0.passes.isEmpty }.passes.map(\.state),
            is: [.requiresActivation], "the pass before somebody else agreed")
        let agreeing = try await TourOperators.signIn(operators.second, at: addresses.console)
        let approved = try await TourClient.post(approval, as: agreeing, [String: String]())
        guard approved.status < 300 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the approval was answered with \(approved.status)")
        }
        try await state(.activated, of: pass, on: .risky)
        return "active after a review that a second person agreed to, \(pass.id)"
    }

    private func red() async throws -> String {
        let addition = try await attempted(
            Attempt(network: "mastercard", model: .fresh, outcome: .refused, colour: "red", reasons: ["account-score-low"]))
        try require(addition.message ?? "nothing", is: "Could Not Add Card", "the wallet's word")
        try require(addition.pass?.id ?? "no pass", is: "no pass", "what came into the wallet")
        let element = DemoDevice.secureElement(.phone, DemoDevice.Account.fresh.rawValue)
        try require(try await network().tokens.filter { $0.plain.secureElement == element }.count, is: 0, "its tokens")
        return "the bank said red for its account score; no token"
    }

    private func add(_ attempt: Attempt) async throws -> BankScreen.Pass {
        let addition = try await attempted(attempt)
        guard let pass = addition.pass else {
            throw CommandFailure(.refused, code: "card-not-added", reason: "the wallet says \(addition.message ?? "nothing")")
        }
        // What the sheet said when it closed: afterwards the device asks the broker again.
        try require(addition.activation, is: attempt.outcome == .ready ? .activated : .requiresActivation, "the pass on the sheet")
        return pass
    }

    /// Adds a card, and compares what the app says and what the bank decided, and why, with what must come of it.
    private func attempted(_ attempt: Attempt) async throws -> RemoteBankPhone.Addition {
        let addition = try await run { try await self.phone(attempt.model).add(attempt.network, to: attempt.kind, method: attempt.method) }
        let said = "the app said \(addition.outcome.kind), the wallet \(addition.message.map { "“\($0)”" } ?? "nothing")"
        guard let name = addition.attempt else {
            throw CommandFailure(.refused, code: "attempt-unnamed", reason: "the wallet was never asked to add the card: \(said)")
        }
        attempts.append((name, attempt.outcome == .refused))
        var story: Story?
        let decision = try await until("decision-missing", reason: "the bank decided nothing") {
            story = try await self.story(name)
            return story?.entries.last { $0.from == "issuer" && $0.title == "decision made" }
        } orElse: {
            [story?.refusal, said].compactMap(\.self).joined(separator: "; ")
        }
        try require(decision["colour"], is: attempt.colour, "the bank's decision")
        let reasons = Set((decision["reasons"] ?? "").split(separator: " ").map(String.init))
        guard attempt.reasons.isSubset(of: reasons) else {
            throw CommandFailure(
                .refused, code: "value-differs",
                reason: "the bank's reasons are \(reasons.sorted()), without \(attempt.reasons.subtracting(reasons).sorted())")
        }
        try require(addition.outcome.kind, is: attempt.outcome, "the app's last word")
        return addition
    }

    // MARK: What happens to passes

    private struct Deed: Encodable {
        var action: String
        var reason: String
    }

    private func act(_ action: String, _ reason: String, on pass: BankScreen.Pass) async throws {
        let answer = try await TourClient.post(
            "\(addresses.console)/api/provisioning/tokens/\(pass.id)/actions", as: asking(), Deed(action: action, reason: reason))
        guard answer.status == 204 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "\(action) was answered with \(answer.status)")
        }
    }

    private func suspendAndResume() async throws -> String {
        let pass = try await pass(on: .trusted)
        try await act("suspend", "L", on: pass)
        try await state(.suspended, of: pass, on: .trusted)
        try await act("resume", "Z", on: pass)
        try await state(.activated, of: pass, on: .trusted)
        return "the phone's pass followed both"
    }

    private func loseAndFind() async throws -> String {
        let element = DemoDevice.secureElement(.phone, DemoDevice.Account.trusted.rawValue)
        func tokens() async throws -> (lost: Set<BookedPass>, others: Set<BookedPass>) {
            let all = try await network().tokens.map(\.plain)
            return (Set(all.filter { $0.secureElement == element }), Set(all.filter { $0.secureElement != element }))
        }
        let before = try await tokens()
        guard before.lost.count > 1, before.others.contains(where: { $0.state == "active" }) else {
            throw CommandFailure(
                .refused, code: "value-differs",
                reason: "the phone holds \(before.lost.count) passes, and other devices \(before.others.count)")
        }
        try await setLost(true, element)
        let phone = try await phone(.trusted)
        let shown = try await run {
            try await phone.until("pass-state", reason: "not every pass of the lost phone was suspended") { screen in
                !screen.passes.isEmpty && screen.passes.allSatisfy { $0.state == .suspended }
            }
        }
        try require(shown.passes.count, is: before.lost.count, "the passes that the lost phone shows")
        try require(shown.watch?.passes.map(\.state) ?? [], is: [.activated], "the passes of its watch")
        let during = try await tokens()
        try require(Set(during.lost.map(\.state)), is: ["suspended"], "the lost phone's tokens")
        try require(during.others, is: before.others, "the tokens of other devices")
        try await setLost(false, element)
        try await run {
            _ = try await phone.until("pass-state", reason: "not every pass came back") { $0.passes.allSatisfy { $0.state == .activated } }
        }
        let after = try await tokens()
        try require(Set(after.lost.map(\.state)), is: ["active"], "the tokens of the phone that was found")
        try require(after.others, is: before.others, "the tokens of other devices")
        return "all \(before.lost.count) passes of the lost phone were suspended, and none of \(before.others.count) others"
    }

    /// The owner says it from elsewhere.
    private func setLost(_ isLost: Bool, _ element: String) async throws {
        let answer = try await TourClient.post("\(addresses.broker)/broker/v4/devices/\(element)/lost", ["lost": isLost])
        guard answer.status == 204 else {
            throw CommandFailure(.refused, code: "broker-refused", reason: "the broker answered \(answer.status)")
        }
    }

    private func replace() async throws -> String {
        let phone = try await phone(.trusted)
        let suffix = try await run { try await phone.until("card-missing", reason: "the app does not show the card") { _ in true } }
            .cards.first { $0.network == "visa" }?.suffix
        @Sendable func held(_ shown: BankScreen, _ suffix: String?) -> [BankScreen.Pass] { shown.allPasses.filter { $0.suffix == suffix } }
        let before = try await run {
            try await phone.until("pass-missing", reason: "the devices hold no such card") { !held($0, suffix).isEmpty }
        }
        struct Card: Decodable { var suffix: String }
        let made = try await TourClient.post("\(addresses.processor)/processor/control/cards/visa-1/replacement", [String: String]())
            .read(Card.self)
        // The bank learns of it when its customer logs in.
        let after = try await run {
            try await phone.tap(.logOut)
            try await phone.logIn(Self.customer)
            return try await phone.until("pass-unchanged", reason: "the passes do not show the new card") {
                held($0, made.suffix).count == held(before, suffix).count
            }
        }
        let (old, new) = (held(before, suffix), held(after, made.suffix))
        try require(Set(new.map(\.id)), is: Set(old.map(\.id)), "the tokens that follow the card")
        try require(Set(new.map(\.deviceSuffix)), is: Set(old.map(\.deviceSuffix)), "the devices' numbers")
        try require(Set(new.map(\.state)), is: [.activated], "the passes")
        return "\(new.count) tokens stayed and follow the card ending in \(made.suffix)"
    }

    private func delete() async throws -> String {
        let tablet = try await phone(.tablet)
        try await act("delete", "C", on: try await pass(on: .tablet))
        let phone = try await phone(.trusted)
        let left = try await run {
            try await tablet.until("pass-there", reason: "the deleted pass is still on the tablet") { $0.passes.isEmpty }
            try await phone.tap(.switchTo, "wallet")
            let held = try await phone.until("pass-missing", reason: "the watch holds no pass") { $0.watch?.passes.isEmpty == false }
            for pass in held.watch?.passes ?? [] { try await phone.tap(.removePass, pass.id) }
            return try await phone.until("pass-there", reason: "the removed pass is still on the watch") {
                $0.watch?.passes.isEmpty == true
            }
        }
        try require(left.passes.count, is: 2, "the passes that are left")
        return "one by the bank, one by the customer"
    }

    private func pass(on model: BankPhoneModel) async throws -> BankScreen.Pass {
        let phone = try await phone(model)
        let screen = try await run { try await phone.until("pass-missing", reason: "the device holds no pass") { !$0.passes.isEmpty } }
        guard let pass = screen.passes.first else {
            throw CommandFailure(.refused, code: "pass-missing", reason: "the device holds no pass")
        }
        return pass
    }

    private func state(_ state: BankScreen.Pass.State, of pass: BankScreen.Pass, on model: BankPhoneModel) async throws {
        let phone = try await phone(model)
        try await run {
            _ = try await phone.until("pass-state", reason: "the pass did not become \(state.rawValue)") { screen in
                screen.allPasses.contains { $0.id == pass.id && $0.state == state }
            }
        }
    }

    // MARK: Books and trace

    private func network() async throws -> PassBooks {
        try await TourClient.get("\(addresses.network)/card-network/control/books").read(PassBooks.self)
    }

    private func booked(_ pass: BankScreen.Pass) async throws -> (String, Int) {
        let token = try await network().tokens.first { $0.tokenReference == pass.id }
        return (token?.state ?? "unknown", token?.sequence ?? 0)
    }

    private func compareBooks() async throws -> String {
        var differences: [String] = []
        let count = try await until("books-differ", reason: "the books differ") {
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
        var entries = 0
        for attempt in attempts {
            entries += try await until("trace-incomplete", reason: "the console does not have the story of an attempt") {
                guard let story = try await self.story(attempt.name),
                    Set(["device", "broker", "network", "issuer"]).isSubset(of: Set(story.entries.flatMap { [$0.from, $0.to] })),
                    Set(["certificates", "cards", "provision", "enable", "decision"]).isSubset(of: story.entries.map(\.title))
                else { return nil as Int? }
                let problems = story.entries.compactMap(\.problem)
                guard problems.isEmpty != attempt.isRefused else {
                    throw CommandFailure(.refused, code: "message-refused", reason: problems.first ?? "nothing was refused")
                }
                return story.entries.count
            }
        }
        return "\(entries) messages in \(attempts.count) stories"
    }

    /// What the console has of an attempt; nil while it has nothing.
    private func story(_ attempt: String) async throws -> Story? {
        let answer = try await TourClient.get("\(addresses.console)/api/stories/provisioning.attempt:\(attempt)")
        return answer.status == 200 ? try answer.read(Story.self) : nil
    }

    // MARK: Helpers

    /// What a party refused is a step's failure.
    private func run<Value: Sendable>(_ body: @MainActor () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let refusal as SandboxRefusal {
            throw CommandFailure(.refused, code: refusal.code, reason: refusal.reason)
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
        _ code: String, reason: String, _ body: @MainActor () async throws -> Value?, orElse detail: () -> String = { "" }
    ) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < end {
            if let value = try await body() { return value }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(.refused, code: code, reason: [reason, detail()].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}
