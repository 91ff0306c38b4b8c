import BillfoldJSON
import Foundation
import NIOHTTP1

/// Something that can be made happen in the sandbox, by what its played parties offer to anybody.
struct Trigger: Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        /// One line for people.
        var text: String
        /// Names and values for programs, such as the order's id.
        var facts: [(name: String, value: String)]
    }

    /// Who shows a key of their own.
    enum KeyHolder: Sendable {
        /// A merchant, its API key.
        case merchants
        /// An acquirer, the key of its space.
        case acquirers

        /// Whose key that is, by its form.
        init(of key: String) { self = key.hasPrefix(OwnPartyRegistration.spaceKeyPrefix) ? .acquirers : .merchants }

        /// The file that `sandbox register` writes it to.
        var file: String {
            switch self {
            case .merchants: "a merchant's api.key"
            case .acquirers: "an acquirer's space.key"
            }
        }

        /// What can happen with it.
        var triggers: [String] { Trigger.all.filter { $0.key == self }.map(\.name) }
    }

    /// By which it is asked for: the object and the state that it comes to.
    var name: String
    /// What happens, for the list.
    var what: String
    /// Whose order it can happen to, where somebody shows a key.
    var key: KeyHolder?
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

    init(
        _ name: String, _ what: String, key: KeyHolder? = nil, takesCard: Bool = false,
        run: @escaping @Sendable (TriggerPlace) async throws -> Outcome
    ) {
        (self.name, self.what, self.key, self.takesCard, self.run) = (name, what, key, takesCard, run)
    }

    /// Refuses with `key-not-taken` a key with which this cannot happen, and says what can, and which key it takes.
    func check(_ key: String, in file: String) throws(CommandFailure) {
        let holder = KeyHolder(of: key)
        guard holder != self.key else { return }
        let own =
            self.key.map { "takes \($0.file), or none for the sandbox's own" }
            ?? "is played by the sandbox's own parties, without --key-file"
        throw CommandFailure(
            .usage, code: "key-not-taken",
            reason: "\(name) \(own); \(file) is \(holder.file), and with it there are \(holder.triggers.joined(separator: ", "))")
    }
}

/// The sandbox in which something is made happen.
struct TriggerPlace: Sendable {
    let addresses: ServedAddresses
    let folder: String
    /// The shop's key at the card-payments server, or that of a merchant or of an acquirer's space of one's own.
    let apiKey: String
    /// Whether it is one's own: the order is made with it, and the played shop has no part in it.
    var isOwn = false
    /// A card that the bank brought in itself, where it is to happen to one, with its customer.
    var card: (id: String, customer: String)?

    /// Tells the acquirer what it is to do with an order, or with the next one.
    func plan(_ text: String, for order: String) async throws {
        guard text != "{}" else { return }
        let answer = try await LocalClient.send(
            .PUT, try addresses.sandboxOrigin() + "/unionpay/control/plans/\(order)", body: Array(text.utf8))
        guard answer.status == 204 else { throw CommandFailure(.refused, code: "plan-refused", reason: "the acquirer takes no such plan") }
    }

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
