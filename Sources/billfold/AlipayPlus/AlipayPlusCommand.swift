import ArgumentParser

/// `billfold alipay-plus`: the messages, codes and reports of Alipay+ from a shell.
struct AlipayPlusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alipay-plus", abstract: "Sign and check the messages of Alipay+, take its codes apart, and make its reports.",
        subcommands: [
            AlipayPlusSign.self, AlipayPlusVerify.self, AlipayPlusDecodeCode.self, AlipayPlusReports.self, AlipayPlusPublicKeys.self,
        ])
}
