import ArgumentParser

/// `billfold apple-pay`: tokens and payment requests from a shell.
struct ApplePayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-pay", abstract: "Open, make and judge Apple Pay tokens and payment requests.",
        subcommands: [OpenToken.self, MakeToken.self, LintRequest.self])
}
