import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys retire`: a key's private half is removed.
struct KeysRetire: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Remove a key's private half; its name and dates stay.",
        discussion: """
            Retire an old key only when its last token is older than the freshness window and the new certificate has \
            spread: until then tokens still arrive for it.
            """)

    @Argument(help: "The key's id, or an unambiguous beginning of it.") var id: String
    @Flag(help: "Retire it even if it is the active key.") var evenActive = false
    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        let stored = try options.keyStore.retire(id, evenActive: evenActive, at: now)
        return KeysReply(text: "\(stored.id): \(stored.state.rawValue)", object: KeysList.object(stored, now: now))
    }
}
