import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys check`: the self-test that a server runs at start.
struct KeysCheck: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the processing keys as a server does at start.")

    @Option(help: "The configured merchant identifier.") var merchant: String
    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        let test = try KeySelfTest(options.keyStore, merchantIdentifier: merchant, at: now)
        var lines = [String]()
        var list = [KeysValue]()
        for row in test.rows {
            lines.append("\(row.key.id) publicKeyHash \(row.key.publicKeyHash) \(row.standing)")
            list.append(
                .object([
                    "id": .text(row.key.id), "publicKeyHash": .text(row.key.publicKeyHash),
                    "failures": .list(
                        row.failures.map { .object(["code": .text($0.check.rawValue), "reason": .text($0.reason)]) }),
                    "warnings": .list(row.warnings.map { .text($0.reason) }),
                ]))
        }
        if test.rows.isEmpty { lines = ["the store has no processing key"] }
        return KeysReply(
            text: lines.joined(separator: "\n"), object: ["passed": .flag(test.isPassed), "keys": .list(list)],
            exitCode: test.isPassed ? 0 : 1)
    }
}

extension KeySelfTest.Row {
    /// `good`, or what is wrong, for people.
    var standing: String {
        if !failures.isEmpty { return failures.map { "\($0.check.rawValue): \($0.reason)" }.joined(separator: "; ") }
        return warnings.isEmpty ? "good" : "old, and " + warnings.map(\.reason).joined(separator: "; ")
    }
}
