import Foundation
import MiniPrograms
import PaymentCrypto

/// Versions of mini programs as files: a folder for each mini program, one in it for each version. A version comes into its place by one
/// rename, whole or not at all, and a file names the one that is current: after a rollback the platform's choice is an older one.
struct ShelfFolder: Sendable {
    struct Version: Sendable {
        var version: MiniProgramVersion
        var metadata: UnverifiedMiniProgramMetadata
        var archive: [UInt8]?
    }

    let folder: URL
    /// The current one and the one before it.
    private static let kept = 2
    private enum Name {
        static let metadata = "metadata.json"
        static let signature = "metadata.sig"
        static let archive = "package.zip"
        static let current = "current"
    }

    /// The current one first, then the newest. What does not read is passed over.
    func versions(of appID: String) -> [Version] {
        guard PackageManifest.isAppID(appID) else { return [] }
        return names(of: appID).compactMap { version in
            let place = place(appID, version)
            guard let metadata = Self.bytes(place.appending(path: Name.metadata)),
                let text = Self.bytes(place.appending(path: Name.signature)),
                let signature = try? MetadataSignature(header: String(decoding: text, as: UTF8.self))
            else { return nil }
            return Version(
                version: version, metadata: .init(bytes: metadata, signature: signature),
                archive: Self.bytes(place.appending(path: Name.archive)))
        }
    }

    /// Makes a version the current one, in the place of what is kept of it, and removes what goes beyond two. `storage-failed`.
    func keep(_ version: Version, of appID: String) throws(AppContainerError) {
        let files = FileManager.default
        let place = place(appID, version.version)
        let staging = folder.appending(path: "\(appID)/.staging-\(version.version)")
        do {
            if files.fileExists(atPath: staging.path) { try files.removeItem(at: staging) }
            try PrivateFolder.make(staging.path)
            try PrivateFile.replace(staging.appending(path: Name.metadata).path, with: version.metadata.bytes)
            try PrivateFile.replace(staging.appending(path: Name.signature).path, with: version.metadata.signature.description.utf8)
            if let archive = version.archive { try PrivateFile.replace(staging.appending(path: Name.archive).path, with: archive) }
            if files.fileExists(atPath: place.path) { try files.removeItem(at: place) }
            try files.moveItem(at: staging, to: place)
            try PrivateFile.replace(folder.appending(path: "\(appID)/\(Name.current)").path, with: version.version.description.utf8)
            for old in names(of: appID).filter({ $0 != version.version }).dropFirst(Self.kept - 1) {
                try files.removeItem(at: self.place(appID, old))
            }
        } catch {
            throw AppContainerError(code: .storageFailed, reason: "a version of a mini program cannot be kept")
        }
    }

    /// `storage-failed`.
    func remove(_ appID: String) throws(AppContainerError) {
        let place = folder.appending(path: appID)
        guard PackageManifest.isAppID(appID), FileManager.default.fileExists(atPath: place.path) else { return }
        do { try FileManager.default.removeItem(at: place) } catch {
            throw AppContainerError(code: .storageFailed, reason: "a mini program cannot be removed")
        }
    }

    private func names(of appID: String) -> [MiniProgramVersion] {
        let place = folder.appending(path: appID)
        let current = Self.bytes(place.appending(path: Name.current)).flatMap {
            MiniProgramVersion(text: String(decoding: $0, as: UTF8.self))
        }
        let found = try? FileManager.default.contentsOfDirectory(atPath: place.path)
        let versions = (found ?? []).compactMap { MiniProgramVersion(text: $0) }.sorted(by: >)
        return versions.filter { $0 == current } + versions.filter { $0 != current }
    }

    private func place(_ appID: String, _ version: MiniProgramVersion) -> URL { folder.appending(path: "\(appID)/\(version)") }

    private static func bytes(_ url: URL) -> [UInt8]? { FileManager.default.contents(atPath: url.path).map { Array($0) } }
}
