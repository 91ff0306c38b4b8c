import BillfoldJSON
import Foundation

/// Something that can be made happen in the sandbox, by what its played parties offer to anybody.
struct Trigger: Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        /// One line for people.
        var text: String
        /// Names and values for programs, such as the order's id.
        var facts: [(name: String, value: String)]
    }

    /// By which it is asked for: the object and the state that it comes to.
    var name: String
    /// What happens, for the list.
    var what: String
    /// Whether it can happen to a card of the bank's own.
    var takesCard = false
    var run: @Sendable (TriggerPlace) async throws -> Outcome

    static let all: [Trigger] = CardTriggers.all + ProvisioningTriggers.all + ExpressTriggers.all + SheetTriggers.all

    /// Refuses with `unknown-trigger` a name that is none, naming the nearest.
    init(named text: String) throws(CommandFailure) {
        guard let found = Self.all.first(where: { $0.name == text }) else {
            let near = NearestNames(of: text, among: Self.all.map(\.name)).first(3).joined(separator: ", ")
            throw CommandFailure(
                .usage, code: "unknown-trigger", reason: "'\(text)' cannot be triggered; the nearest are \(near); --list names all")
        }
        self = found
    }

    init(_ name: String, _ what: String, takesCard: Bool = false, run: @escaping @Sendable (TriggerPlace) async throws -> Outcome) {
        (self.name, self.what, self.takesCard, self.run) = (name, what, takesCard, run)
    }
}

/// The sandbox in which something is made happen.
struct TriggerPlace: Sendable {
    let addresses: ServedAddresses
    let folder: String
    /// The shop's key at the card-payments server.
    let apiKey: String
    /// A card that the bank brought in itself, where it is to happen to one, with its customer.
    var card: (id: String, customer: String)?

    /// Asks again until there is an answer; refuses with `not-reached` after half a minute.
    func until<Value>(_ what: String, _ body: () async throws -> Value?) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < end {
            if let value = try await body() { return value }
            try await Task.sleep(for: .milliseconds(150))
        }
        throw CommandFailure(.refused, code: "not-reached", reason: "\(what) did not come about within half a minute")
    }
}
