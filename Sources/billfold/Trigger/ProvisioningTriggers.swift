import BillfoldJSON
import BillfoldServer
import NIOHTTP1

/// What can happen when a card is added to a wallet: the played customer adds it in the bank's app, on a phone of each kind.
enum ProvisioningTriggers {
    static let all: [Trigger] = [
        trigger("token.active", "a card is added, and its token is active at once", card: "visa-1", model: "trusted", outcome: "ready"),
        trigger(
            "review.opened", "a card is added on an account that was seen in fraud: the bank's team has to look", card: "visa-1",
            model: "risky", outcome: "review"),
        trigger(
            "token.declined", "the bank declines a card on an account of a few days: there is no token", card: "mastercard-1",
            model: "fresh", outcome: "refused"),
    ]

    private static func trigger(_ name: String, _ what: String, card: String, model: String, outcome: String) -> Trigger {
        Trigger(name, what) { place in
            let (card, kind) = try await add(card, on: model, at: place)
            guard kind == outcome else {
                throw CommandFailure(.refused, code: "not-reached", reason: "the bank's app says \(kind)")
            }
            return .init(
                text: "\(card) on a phone of the kind \(model): the bank's app says \(kind)", facts: [("card", card), ("outcome", kind)])
        }
    }

    /// The cards that are decided at once, in the order in which they are taken where one is in the phone and its watch already.
    private static let cards = ["visa-1", "mastercard-1"]

    /// The card that was added, and what the app says at the end.
    private static func add(_ wanted: String, on model: String, at place: TriggerPlace) async throws -> (card: String, outcome: String) {
        let phones = try place.addresses.origin(of: .bankApp) + "/bank/phones"
        let opened = try await LocalClient.send(.POST, phones, object: JSONObject([.init("model", .string(model))]))
        let phone = "\(phones)/\(opened["session"]?.string ?? "")"
        func tap(_ action: String, _ value: String? = nil) async throws {
            var body = JSONObject([.init("do", .string(action))])
            body["value"] = value.map { .string($0) }
            _ = try await LocalClient.send(.POST, phone + "/taps", object: body)
        }
        func reach(_ what: String, _ isReached: (JSONObject) -> Bool) async throws -> JSONObject {
            try await place.until(what) {
                let screen = try await LocalClient.send(.GET, phone).object()
                return isReached(screen) ? screen : nil
            }
        }
        func phase(_ phases: String...) async throws -> JSONObject {
            try await reach("the next step of the wallet's sheet") { screen in
                phases.contains(screen["sheet"]?.object?["phase"]?.string ?? "")
            }
        }
        try await tap("logIn", "c-1")
        let listed = try await reach("the list of cards") { $0["cards"]?.array?.isEmpty == false }
        let card = try choose(wanted, of: listed)
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
        _ = try await phase("added", "failed")
        try await tap("done")
        let last = try await reach("the app's last word") { $0["outcome"]?.object != nil }
        return (card, last["outcome"]?.object?["kind"]?.string ?? "nothing")
    }

    /// The card that is wanted, or else another that the app can add.
    private static func choose(_ wanted: String, of screen: JSONObject) throws -> String {
        let listed = (screen["cards"]?.array ?? []).compactMap(\.object)
        let free = listed.filter { ["add", "addToWatch"].contains($0["button"]?.object?["kind"]?.string ?? "") }
            .compactMap { $0["id"]?.string }
        guard let card = ([wanted] + cards).first(where: free.contains) else {
            throw CommandFailure(
                .refused, code: "not-reached",
                reason: "the customer's cards are on the phone and its watch already: delete a token, by /bank/v1/tokens or at the console")
        }
        return card
    }
}
