import BillfoldConcurrency
public import Foundation
import PaymentCrypto

/// Where `my.setStorage` keeps values: JSON texts by key, apart for every pair of user and mini program.
public protocol MiniProgramStore: Sendable {
    /// The JSON text under a key; nil when there is none.
    func value(_ key: String, of partition: MiniProgramIdentity.Partition) throws(AppContainerError) -> String?
    /// Nil removes it.
    func set(_ key: String, to value: String?, of partition: MiniProgramIdentity.Partition) throws(AppContainerError)
    /// Every key with the bytes of its value.
    func sizes(of partition: MiniProgramIdentity.Partition) throws(AppContainerError) -> [String: Int]
    /// Removes every key of the pair, and nothing of others.
    func clear(_ partition: MiniProgramIdentity.Partition) throws(AppContainerError)
}

/// Keeps values in memory, for tests and runs from a shell.
public final class MemoryMiniProgramStore: MiniProgramStore {
    private let values = Locked<[MiniProgramIdentity.Partition: [String: String]]>([:])

    public init() {}

    public func value(_ key: String, of partition: MiniProgramIdentity.Partition) -> String? {
        values.withLock { $0[partition]?[key] }
    }

    public func set(_ key: String, to value: String?, of partition: MiniProgramIdentity.Partition) {
        values.withLock { $0[partition, default: [:]][key] = value }
    }

    public func sizes(of partition: MiniProgramIdentity.Partition) -> [String: Int] {
        values.withLock { $0[partition]?.mapValues { $0.utf8.count } ?? [:] }
    }

    public func clear(_ partition: MiniProgramIdentity.Partition) { values.withLock { $0[partition] = nil } }
}

/// Keeps values in files of a folder: one folder for each user, one in it for each mini program, one file for each key. Names are written
/// in hexadecimal, so that no id or key can lead out of its folder.
public final class FileMiniProgramStore: MiniProgramStore {
    private let folder: URL

    public init(folder: URL) { self.folder = folder }

    /// The longest key, because its name in hexadecimal must be a file's.
    static let keyLimit = 120

    public func value(_ key: String, of partition: MiniProgramIdentity.Partition) throws(AppContainerError) -> String? {
        FileManager.default.contents(atPath: file(key, partition).path).map { String(decoding: $0, as: UTF8.self) }
    }

    public func set(_ key: String, to value: String?, of partition: MiniProgramIdentity.Partition) throws(AppContainerError) {
        do {
            let file = file(key, partition)
            if let value {
                try PrivateFolder.make(place(partition).path)
                try PrivateFile.replace(file.path, with: value.utf8)
            } else if FileManager.default.fileExists(atPath: file.path) {
                try FileManager.default.removeItem(at: file)
            }
        } catch {
            throw AppContainerError(code: .storageFailed, reason: "a value cannot be written")
        }
    }

    public func sizes(of partition: MiniProgramIdentity.Partition) throws(AppContainerError) -> [String: Int] {
        var sizes: [String: Int] = [:]
        let files = try? FileManager.default.contentsOfDirectory(at: place(partition), includingPropertiesForKeys: [.fileSizeKey])
        for file in files ?? [] {
            guard let key = Self.text(file.lastPathComponent) else { continue }
            sizes[key] = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        }
        return sizes
    }

    public func clear(_ partition: MiniProgramIdentity.Partition) throws(AppContainerError) {
        guard FileManager.default.fileExists(atPath: place(partition).path) else { return }
        do {
            try FileManager.default.removeItem(at: place(partition))
        } catch {
            throw AppContainerError(code: .storageFailed, reason: "values cannot be removed")
        }
    }

    private func place(_ partition: MiniProgramIdentity.Partition) -> URL {
        folder.appending(path: Self.name(partition.user)).appending(path: Self.name(partition.app))
    }

    private func file(_ key: String, _ partition: MiniProgramIdentity.Partition) -> URL {
        place(partition).appending(path: Self.name(key))
    }

    private static func name(_ text: String) -> String {
        "x" + text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func text(_ name: String) -> String? {
        guard name.hasPrefix("x") else { return nil }
        let digits = name.dropFirst().compactMap(\.hexDigitValue)
        guard digits.count == name.count - 1, digits.count.isMultiple(of: 2) else { return nil }
        return String(utf8: stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
