import BillfoldJSON
import BillfoldServer
import Foundation
import NIOHTTP1

/// What can happen when a card is added to a wallet: the customer adds it in the bank's app, on a phone of each kind.
enum ProvisioningTriggers {
    static let all: [Trigger] = [
        trigger("token.active", "a card is added, and its token is active at once", card: "visa-1", model: "trusted", outcome: "ready"),
        trigger(
            "token.inactive", "a card is added on an account abroad: its token waits for the customer's proof", card: "visa-1",
            model: "moved", outcome: "pending"),
        trigger(
            "review.opened", "a card is added on an account that was seen in fraud: the bank's team has to look", card: "visa-1",
            model: "risky", outcome: "review"),
        trigger(
            "token.declined", "the bank declines a card on an account of a few days: there is no token", card: "mastercard-1",
            model: "fresh", outcome: "refused"),
    ]

    private static func trigger(_ name: String, _ what: String, card: String, model: String, outcome: String) -> Trigger {
        Trigger(name, what, takesCard: true) { place in
            let phone = try await PlayedPhone(model: model, at: place)
            let card = place.card?.id ?? card
            let last = try await phone.add(card, of: place.card?.customer ?? "c-1")
            guard last.outcome == outcome else {
                let votes = try await phone.votes(of: last.story).map { "; the parties' votes: \($0)" } ?? ""
                let token = last.token.map { "; the token \($0) is there, and \(outcome) it is not" } ?? ""
                throw CommandFailure(
                    .refused, code: "not-reached", reason: "\(card) on a phone of the kind \(model) came to \(last.outcome)\(votes)\(token)"
                )
            }
            var facts = [("card", card), ("outcome", last.outcome)]
            if let token = last.token { facts.append(("token", token)) }
            return .init(
                text: "\(card) on a phone of the kind \(model): the bank's app says \(last.outcome)"
                    + (last.token.map { ", token \($0)" } ?? ""), facts: facts)
        }
    }
}

/// A phone with the bank's app that nobody used before: what was done on others, by hand too, does not count against its account.
private struct PlayedPhone {
    /// What became of a card.
    struct Addition {
        /// The app's word, such as `ready`.
        var outcome: String
        /// By its name at the network; `nil` where none was made.
        var token: String?
        /// The attempt's page in the console.
        var story: String?
    }

    private let place: TriggerPlace
    private let address: String

    init(model: String, at place: TriggerPlace) async throws {
        let phones = try place.addresses.origin(of: .bankApp) + "/bank/phones"
        let owner = "trigger-" + SystemRandomness.name().prefix(12)
        let opened = try await LocalClient.send(
            .POST, phones, object: JSONObject([.init("model", .string(model)), .init("owner", .string(owner))]))
        address = "\(phones)/\(opened["session"]?.string ?? "")"
        self.place = place
    }

    /// Adds a card, and puts off what the wallet would have the customer prove.
    func add(_ card: String, of customer: String) async throws -> Addition {
        try await tap("logIn", customer)
        let listed = try await reach("the list of the cards of \(customer)") { $0["cards"]?.array?.isEmpty == false }
        try requireAddable(card, on: listed)
        try await tap("add", card)
        _ = try await phase("introduction")
        try await tap("next")
        let screen = try await phase("choosingDevice", "terms")
        if let device = screen["sheet"]?.object?["devices"]?.array?.first?.object?["id"]?.string,
            screen["sheet"]?.object?["phase"]?.string == "choosingDevice"
        {
            try await tap("chooseDevice", device)
            _ = try await phase("terms")
        }
        try await tap("acceptTerms")
        if try await phase("added", "failed", "choosingMethod")["sheet"]?.object?["phase"]?.string == "choosingMethod" {
            try await tap("later")
            _ = try await phase("added", "failed")
        }
        try await tap("done")
        let last = try await reach("the app's last word") { $0["outcome"]?.object != nil }
        let passes = (last["passes"]?.array ?? []) + (last["watch"]?.object?["passes"]?.array ?? [])
        return Addition(
            outcome: last["outcome"]?.object?["kind"]?.string ?? "nothing", token: passes.first?.object?["id"]?.string,
            story: last["outcome"]?.object?["story"]?.string)
    }

    /// Who decided what and why, as the attempt's story has it; `nil` where nobody came to vote.
    func votes(of story: String?) async throws -> String? {
        guard let name = story?.split(separator: "/").last else { return nil }
        let address = try place.addresses.origin(of: .console) + "/api/stories/\(name)"
        // Parties report a moment later.
        for _ in 0..<20 {
            let entries = try? await LocalClient.send(.GET, address).object()["entries"]?.array
            let said = entries?.compactMap(\.object) ?? []
            func fields(_ title: String) -> [(name: String, value: String)] {
                said.filter { $0["title"]?.string == title }.flatMap { $0["fields"]?.array ?? [] }.compactMap(\.object)
                    .map { ($0["name"]?.string ?? "", $0["value"]?.string ?? "") }
            }
            let votes = fields("votes counted")
            if !votes.isEmpty {
                let reasons = fields("provision").first { $0.name == "reasons" && !$0.value.isEmpty }.map { " (reasons \($0.value))" }
                return votes.map { "\($0.name) \($0.value)" + ($0.name == "wallet" ? reasons ?? "" : "") }.joined(separator: ", ")
            }
            try await Task.sleep(for: .milliseconds(150))
        }
        return nil
    }

    private func requireAddable(_ card: String, on screen: JSONObject) throws {
        let listed = (screen["cards"]?.array ?? []).compactMap(\.object)
        guard let found = listed.first(where: { $0["id"]?.string == card }) else {
            throw CommandFailure(.refused, code: "not-reached", reason: "the bank's app lists no card \(card) of the customer")
        }
        let button = found["button"]?.object
        guard button?["kind"]?.string == "add" else {
            let why = button?["reason"]?.string ?? button?["kind"]?.string ?? "it has no button"
            throw CommandFailure(.refused, code: "not-reached", reason: "the bank's app cannot add \(card): \(why)")
        }
    }

    private func tap(_ action: String, _ value: String? = nil) async throws {
        var body = JSONObject([.init("do", .string(action))])
        body["value"] = value.map { .string($0) }
        _ = try await LocalClient.send(.POST, address + "/taps", object: body)
    }

    /// Waits for a screen. What the app says instead ends the waiting.
    private func reach(_ what: String, _ isReached: (JSONObject) throws -> Bool) async throws -> JSONObject {
        try await place.until(what) {
            let screen = try await LocalClient.send(.GET, address).object()
            if let problem = screen["problem"]?.object?["reason"]?.string {
                throw CommandFailure(.refused, code: "not-reached", reason: "\(what) did not come: \(problem)")
            }
            return try isReached(screen) ? screen : nil
        }
    }

    private func phase(_ phases: String...) async throws -> JSONObject {
        try await reach("the wallet's sheet at \(phases.joined(separator: " or "))") { screen in
            let sheet = screen["sheet"]?.object
            let phase = sheet?["phase"]?.string ?? ""
            if phases.contains(phase) { return true }
            guard phase == "failed" else { return false }
            throw CommandFailure(
                .refused, code: "not-reached", reason: "the wallet's sheet failed: \(sheet?["message"]?.string ?? "it does not say why")")
        }
    }
}
