import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys activate`: an old key becomes the active one again.
struct KeysActivate: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Make a key the active one of its purpose and kind.")

    @Argument(help: "The key's id, or an unambiguous beginning of it.") var id: String
    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        let stored = try options.keyStore.activate(id)
        return KeysReply(text: "\(stored.id): \(stored.state.rawValue)", object: KeysList.object(stored, now: now))
    }
}
