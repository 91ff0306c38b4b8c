import ArgumentParser
import Foundation
import PaymentCrypto

/// What every keys command takes.
struct KeysOptions: ParsableArguments {
    @Option(help: "The key store's folder.") var store = ".billfold/keys"
    @Flag(help: "Print one JSON object.") var json = false

    var keyStore: KeyStore {
        get throws {
            KeyStore(folder: URL(fileURLWithPath: store, isDirectory: true), encryption: try KeyEncryptionKey.encryption())
        }
    }
}

/// A keys command: it computes a reply, and this prints it and ends with the right code.
protocol KeysReplying: AsyncParsableCommand {
    var options: KeysOptions { get }
    func reply(now: Date) throws -> KeysReply
}

extension KeysReplying {
    func run() async throws {
        do {
            try reply(now: Date()).tell(asJSON: options.json)
        } catch { throw CommandFailure.ended(error, asJSON: options.json) }
    }
}
