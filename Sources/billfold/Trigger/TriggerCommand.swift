import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import NIOHTTP1

/// `billfold trigger`: makes a state of a journey happen in the sandbox, so that one's own program hears of it.
struct TriggerCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Make a state of a payment or an order happen in the running sandbox.",
        discussion: """
            The played parties do it by their own routes, with a fault plan where something goes wrong on the way: what your program hears is \
            what it would hear of a customer. Nothing is invented: a state that does not come about is an error. With --key-file a card \
            payment is of an order of that merchant's own, which a customer pays by its number: a space hears of no other. A payment of the \
            sheet is, with an acquirer's space.key, one that this acquirer asks for: its program is notified.
            """)

    @Argument(help: "What is to happen, such as payment.succeeded.") var name: String?
    @Flag(help: "List what can happen.") var list = false
    @Option(
        help: "The file of your own key: a merchant's api.key for card payments, an acquirer's space.key for the sheet's. Default: none.")
    var keyFile: String?
    @Option(help: "Of token.… and review.opened: a card of your own, by its id in the import, in place of the played customer's.")
    var card: String?
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if list == (name != nil) { throw ValidationError("Name what is to happen, or --list.") }
    }

    /// Whose card it is, as the issuer's host knows. Refuses with the host's `card-not-found`.
    private func customer(of card: String, at addresses: ServedAddresses) async throws -> String {
        let segment = card.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? card
        let address = try addresses.origin(of: .provisioning) + "/bank/v1/cards/\(segment)"
        do {
            return try await LocalClient.send(.GET, address, key: place.bearer("bank.key")).object()["customer"]?.string ?? ""
        } catch let failure as CommandFailure where failure.code == "card-not-found" {
            throw CommandFailure(
                .refused, code: failure.code, reason: "the bank has no card \(card): POST /bank/v1/card-imports brings cards in")
        }
    }

    func reply() async throws -> CommandReply {
        guard let name else {
            let width = Trigger.all.map(\.name.count).max() ?? 0
            return CommandReply(
                text: Trigger.all.map { $0.name + String(repeating: " ", count: width + 2 - $0.name.count) + $0.what }
                    .joined(separator: "\n"),
                object: JSONObject([
                    .init(
                        "triggers",
                        .array(
                            Trigger.all.map {
                                .object(JSONObject([.init("name", .string($0.name)), .init("what", .string($0.what))]))
                            }))
                ]))
        }
        let trigger = try Trigger(named: name)
        let key = try keyFile.map { try CommandFile.key($0) }
        if let key, let keyFile { try trigger.check(key, in: keyFile) }
        if card != nil, !trigger.takesCard {
            let taking = Trigger.all.filter(\.takesCard).map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .usage, code: "card-not-taken", reason: "\(trigger.name) happens to no card of yours; --card is for \(taking)")
        }
        let addresses = try await place.running()
        var there = TriggerPlace(
            addresses: addresses, folder: place.data, apiKey: try key ?? place.bearer("api.key"),
            isOwn: keyFile != nil)
        if let card { there.card = (card, try await customer(of: card, at: addresses)) }
        let outcome = try await trigger.run(there)
        return CommandReply(
            text: DiagnosisText.printable("\(trigger.name): \(outcome.text)"),
            object: JSONObject(
                [.init("trigger", .string(trigger.name))] + outcome.facts.map { .init($0.name, .string($0.value)) }))
    }
}
