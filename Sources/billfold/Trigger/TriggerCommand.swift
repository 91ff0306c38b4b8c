import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON

/// `billfold trigger`: makes a state of a journey happen in the sandbox, so that one's own program hears of it.
struct TriggerCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Make a state of a payment or an order happen in the running sandbox.",
        discussion: """
            The played parties do it by their own routes, with a fault plan where something goes wrong on the way: what your program hears is \
            what it would hear of a customer. Nothing is invented: a state that does not come about is an error. With --key-file a card \
            payment is of an order of that merchant's own, which a customer pays by its number: a space hears of no other.
            """)

    @Argument(help: "What is to happen, such as payment.succeeded.") var name: String?
    @Flag(help: "List what can happen.") var list = false
    @Option(help: "The file of your API key: the card payment is one of your own order, and of your space. Default: the played shop's.")
    var keyFile: String?
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if list == (name != nil) { throw ValidationError("Name what is to happen, or --list.") }
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
        guard keyFile == nil || trigger.takesKey else {
            let others = Trigger.all.filter(\.takesKey).map(\.name).joined(separator: ", ")
            throw CommandFailure.usage("\(name) is played by the sandbox's own parties, without --key-file; with it there are \(others)")
        }
        let addresses = try await place.running()
        let outcome = try await trigger.run(
            TriggerPlace(
                addresses: addresses, folder: place.data, apiKey: keyFile.map { try CommandFile.key($0) } ?? place.bearer("api.key"),
                isOwn: keyFile != nil))
        return CommandReply(
            text: DiagnosisText.printable("\(trigger.name): \(outcome.text)"),
            object: JSONObject(
                [.init("trigger", .string(trigger.name))] + outcome.facts.map { .init($0.name, .string($0.value)) }))
    }
}
