import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import Synchronization

/// The files that a command is given, and those it makes.
enum CommandFile {
    /// The path that names standard input.
    static let standardInput = "-"
    /// The most that is read of a file, but for packages and runs of mini programs.
    static let mostMegabytes = 1
    private static let hasReadInput = Atomic(false)

    /// Reads a file, or standard input where the path is `-`. One that cannot be read, or that is larger than such files are, is refused
    /// with `unreadable-file`: the command was right.
    static func read(_ path: String, megabytes: Int = mostMegabytes) throws(CommandFailure) -> [UInt8] {
        func unreadable(_ why: String) -> CommandFailure { CommandFailure(.refused, code: "unreadable-file", reason: "\(path) \(why)") }
        if path == standardInput { return try readInput(megabytes: megabytes) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw unreadable("does not exist") }
        guard !isFolder.boolValue else { throw unreadable("is a folder, not a file") }
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else { throw unreadable("cannot be read") }
        guard size <= megabytes << 20 else { throw unreadable("has more than \(megabytes) MB") }
        guard let data = FileManager.default.contents(atPath: path) else { throw unreadable("cannot be read") }
        return [UInt8](data)
    }

    /// Standard input to its end. It can be read once: naming it twice is wrong usage.
    private static func readInput(megabytes: Int) throws(CommandFailure) -> [UInt8] {
        guard !hasReadInput.exchange(true, ordering: .relaxed) else {
            throw CommandFailure.usage("- names standard input, which can be read once")
        }
        return try read(.standardInput, megabytes: megabytes)
    }

    /// Reads a stream to its end. One with more than so many megabytes is refused with `unreadable-file`.
    static func read(_ stream: FileHandle, megabytes: Int) throws(CommandFailure) -> [UInt8] {
        func unreadable(_ why: String) -> CommandFailure {
            CommandFailure(.refused, code: "unreadable-file", reason: "standard input \(why)")
        }
        let limit = megabytes << 20
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let more: Data?
            do { more = try stream.read(upToCount: limit + 1 - bytes.count) } catch { throw unreadable("cannot be read") }
            guard let more, !more.isEmpty else { return bytes }
            bytes += more
        }
        throw unreadable("has more than \(megabytes) MB")
    }

    static func text(_ path: String) throws(CommandFailure) -> String { String(decoding: try read(path), as: UTF8.self) }

    /// A secret that its owner alone can read.
    ///
    /// - Parameter failure: Makes the error of what is wrong with the file.
    static func secret(_ path: String, failure: (_ reason: String) -> CommandFailure) throws(CommandFailure) -> String {
        do throws(PaymentCryptoError) {
            return String(decoding: try PrivateFile.read(path, upTo: 65_536), as: UTF8.self)
        } catch { throw failure(error.reason) }
    }

    /// The key in a file that its owner alone can read and that holds nothing else: one line, as `sandbox register` writes it.
    static func key(_ path: String) throws(CommandFailure) -> String {
        func unusable(_ why: String) -> CommandFailure { CommandFailure(.refused, code: "key-unusable", reason: "\(path)\(why)") }
        let text = try secret(path) { unusable(": \($0)") }.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw unusable(" is empty: a key's file holds the key") }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let lines = text.split(whereSeparator: \.isNewline).count
            throw unusable(
                (lines > 1 ? " has \(lines) lines" : " has characters that no key has")
                    + ": a key's file holds the key alone, as api.key and space.key do; an env file names it in BILLFOLD_API_KEY_FILE or"
                    + " BILLFOLD_SPACE_KEY_FILE, and a PEM file is another kind of key")
        }
        return text
    }

    /// What stands before the first line break: how files hold passwords.
    static func firstLine(_ path: String) throws(CommandFailure) -> String {
        try text(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    /// Writes a new file of mode 0600. An existing one is not overwritten: it may be the only copy of a key.
    static func writePrivate(_ path: String, _ text: String) throws(CommandFailure) { try writePrivate(path, Array(text.utf8)) }

    static func writePrivate(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        let isNew: Bool
        do throws(PaymentCryptoError) {
            isNew = try PrivateFile.create(path, with: bytes)
        } catch { throw unwritable(path) }
        guard isNew else { throw CommandFailure(.refused, code: "file-exists", reason: "\(path) exists already") }
    }

    /// Writes a file of mode 0600, in the place of an earlier one.
    static func replacePrivate(_ path: String, _ text: String) throws(CommandFailure) { try replacePrivate(path, Array(text.utf8)) }

    static func replacePrivate(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        do throws(PaymentCryptoError) {
            try PrivateFile.replace(path, with: bytes)
        } catch { throw unwritable(path) }
    }

    private static func unwritable(_ path: String) -> CommandFailure {
        CommandFailure(.refused, code: "unwritable-file", reason: "\(path) cannot be written")
    }
}

/// Files that the configuration names.
enum ConfigurationFile {
    static func bytes(_ path: String) throws -> [UInt8] {
        do throws(CommandFailure) {
            return try CommandFile.read(path)
        } catch { throw CommandFailure.invalid(error.reason) }
    }

    /// What a file says, as `read` understands it. A refusal names the file.
    static func read<Value>(_ path: String, as read: ([UInt8]) throws -> Value) throws -> Value {
        let bytes = try bytes(path)
        do { return try read(bytes) } catch {
            var failure = CommandFailure(error)
            failure.reason = "\(path): \(failure.reason)"
            throw failure
        }
    }

    /// A secret without the white space around it, in a file that its owner alone can read.
    static func secret(_ path: String) throws -> Secret<String> {
        let text = try CommandFile.secret(path) { CommandFailure.invalid("\(path): \($0)") }
        return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
