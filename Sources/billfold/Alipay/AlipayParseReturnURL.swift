import Alipay
import ArgumentParser
import Foundation

/// `alipay parse-return-url`: shows what a wallet's return URL holds. Nothing in it is verified.
struct AlipayParseReturnURL: AlipayReplying {
    static let configuration = CommandConfiguration(
        commandName: "parse-return-url", abstract: "Take the wallet's return URL apart.",
        discussion: "Nothing is verified: `alipay verify result` takes the same URL and a key.")

    @Argument(help: "The URL, scheme://safepay/?…") var url: String
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> AlipayReply {
        let parsed = try SafepayURL(url)
        var reply = AlipayReply("parsed")
        reply.scheme = parsed.scheme
        reply.resultStatus = parsed.result.status.rawValue
        reply.memo = parsed.result.memo
        reply.result = parsed.result.result
        reply.generation = parsed.result.generation?.rawValue
        return reply
    }
}
