import ArgumentParser
import Foundation

/// `billfold alipay`: the express order's messages from a shell.
struct AlipayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alipay", abstract: "Make, sign and check the messages of Alipay's express order.",
        subcommands: [
            AlipaySignOrder.self, AlipayVerify.self, AlipayParseReturnURL.self, AlipayCertificateSN.self, AlipayNotify.self,
            AlipayMerchantKeys.self, AlipayOpenAccount.self,
        ])
}

/// An Alipay command: it computes a reply, and this prints it and ends with the right code.
protocol AlipayReplying: AsyncParsableCommand {
    var json: Bool { get }
    func reply() async throws -> AlipayReply
}

extension AlipayReplying {
    func run() async throws {
        do {
            let reply = try await reply()
            print(json ? reply.json : reply.text)
            if !json { for remark in reply.remarks { FileHandle.standardError.write(Data((remark + "\n").utf8)) } }
            guard reply.isGood else { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }
}
