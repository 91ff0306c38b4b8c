import ArgumentParser
import Foundation

/// `billfold unionpay`: UnionPay's messages from a shell.
struct UnionPayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unionpay", abstract: "Sign and check UnionPay messages.", subcommands: [UnionPaySign.self, UnionPayVerify.self])
}

/// A UnionPay command: it computes a reply, and this prints it and ends with the right code.
protocol UnionPayReplying: AsyncParsableCommand {
    var json: Bool { get }
    func reply(now: Date) throws -> UnionPayReply
}

extension UnionPayReplying {
    func run() async throws {
        do {
            let reply = try reply(now: Date())
            print(json ? reply.json : reply.text)
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }
}
