import ArgumentParser

/// `keys api-key`: a shop's credential for the card-payments API.
struct KeysAPIKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Make an API key and print it once, or end those of a label.",
        discussion: """
            The store keeps a keyed hash of it, so that nobody can read it there; the hash's key is in the servers' data folder. Where a \
            server has the store open, that server does it.
            """)

    @Option(help: "The merchant's id, as in the merchants' file.") var merchant: String
    @Option(help: "What the key is called, such as the shop's host.") var label: String
    @Option(help: "The servers' data folder. (default: .billfold)") var data: String?
    @Flag(help: "End every key of the merchant with that label.") var revoke = false
    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await options.answer {
            let request: StoreRequest =
                revoke ? .endAPIKeys(merchant: merchant, label: label) : .makeAPIKey(merchant: merchant, label: label)
            let answer = try await StoreCommand(options: options, data: data).answer(request, needing: "hashing.key")
            switch answer {
            case .madeAPIKey(let key):
                return DatabaseAnswer(text: key, object: ["apiKey": key, "merchant": merchant, "label": label])
            case .endedAPIKeys(let count):
                return DatabaseAnswer(text: "ended \(count) keys", object: ["ended": count], isGood: count > 0)
            case .done, .operators: throw CommandFailure(.ourFault, code: "internal", reason: "the answer is another request's")
            }
        }
    }
}
