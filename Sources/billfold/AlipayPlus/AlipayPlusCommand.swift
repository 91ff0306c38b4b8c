import ArgumentParser

/// `billfold alipay-plus`: the messages and codes of Alipay+ from a shell.
struct AlipayPlusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alipay-plus", abstract: "Sign and check the messages of Alipay+, and take its codes apart.",
        subcommands: [AlipayPlusSign.self, AlipayPlusVerify.self, AlipayPlusDecodeCode.self])
}
