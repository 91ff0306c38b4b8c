import ArgumentParser

/// `billfold keys`: private keys, requests and certificates in a key store.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, request, import, list, check and retire keys.",
        subcommands: [
            KeysMake.self, KeysRequest.self, KeysImport.self, KeysList.self, KeysCheck.self, KeysActivate.self, KeysRetire.self,
            KeysSeal.self, KeysAPIKey.self, IssuerKeysCommand.self,
        ])
}
