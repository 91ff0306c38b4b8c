import Crypto
public import Foundation
public import MiniPrograms
public import PaymentCrypto

/// The mini programs that a device keeps for one user: fetched from the platform, verified, kept whole, started without a network, replaced
/// by newer ones (mini-programs.md#updates).
///
/// Metadata and package are kept together, since a package without its permissions cannot be started offline. Both are verified when they
/// come and again whenever they are read, so that a changed file on the device starts nothing. Two versions are kept.
public actor ProgramShelf {
    private let keys: KeyRing<PublicKey>
    private let archives: any PackageArchives
    private let container: MiniProgramVersion
    private let store: ShelfFolder
    private let limits: PackageLimits
    private var downloads: [String: Task<Void, any Error>] = [:]

    /// - Parameters:
    ///   - keys: The platform's, by their ids: those that metadata and packages are verified with.
    ///   - archives: Unpacks packages.
    ///   - container: The container's own version; the platform offers nothing that needs a newer one.
    ///   - folder: The device's place for this user. Another user has another one, because versions are chosen for users.
    ///   - limits: Of packages.
    public init(
        keys: KeyRing<PublicKey>, archives: any PackageArchives, container: MiniProgramVersion,
        folder: URL, limits: PackageLimits = PackageLimits()
    ) {
        self.keys = keys
        self.archives = archives
        self.container = container
        self.limits = limits
        store = ShelfFolder(folder: folder)
    }

    /// Gives what is to be started now, and sees to newer versions: the newest that is here starts at once, a newer one is fetched beside it
    /// for the next start, and only where nothing is here is it waited for.
    ///
    /// Throws ``PlatformRefusal`` where the platform says that there is nothing, also of what is kept here: what was taken down does not
    /// start. `program-unavailable` where nothing is kept and the platform gives no answer, `MiniProgramError` for what is not the
    /// platform's, `malformed-program`, `missing-page` and `storage-failed`.
    ///
    /// - Parameters:
    ///   - appID: The mini program.
    ///   - platform: Where versions come from: the user's session of now.
    public func open(_ appID: String, from platform: any MiniProgramPlatform) async throws -> OpenedMiniProgram {
        let kept = current(appID)
        var offered: (UnverifiedMiniProgramMetadata, MiniProgramMetadata)?
        var offlineReason: String?
        do {
            let answer = try await platform.metadata(of: appID, container: container)
            offered = (answer, try answer.verified(by: keys, appID: appID))
        } catch let refusal as PlatformRefusal {
            throw refusal
        } catch let error as MiniProgramError {
            // Somebody stands between: what is here and verified still starts.
            offlineReason = "\(error)"
            if kept == nil { throw error }
        } catch {
            offlineReason = "the platform gave no answer"
        }
        let decision = UpdateDecision(installed: kept?.metadata.version, offered: offered?.1.version)
        switch decision {
        case .unavailable:
            throw AppContainerError(code: .programUnavailable, reason: "nothing is kept of \(AppContainerError.quoted(appID, limit: 32))")
        case .start:
            guard var kept else { throw Self.lost(appID) }
            // A mini program's name, picture and client may change with the version as it is.
            if let offered, offered.1 != kept.metadata {
                guard offered.1.package?.sha256 == kept.metadata.package?.sha256 else {
                    // The same version with other bytes: what the platform signs now is what counts.
                    try await fetch(offered.0, offered.1, from: platform)
                    guard let fetched = current(appID) else { throw Self.lost(appID) }
                    return try opened(fetched, decision: decision, offlineReason: offlineReason)
                }
                try keep(offered.0, offered.1, archive: kept.archive)
                kept.metadata = offered.1
            }
            return try opened(kept, decision: decision, offlineReason: offlineReason)
        case .startAndDownload:
            guard let kept, let offered else { throw Self.lost(appID) }
            fetchBeside(offered.0, offered.1, from: platform)
            return try opened(kept, decision: decision, offlineReason: offlineReason)
        case .downloadFirst:
            guard let offered else { throw Self.lost(appID) }
            try await fetch(offered.0, offered.1, from: platform)
            guard let fetched = current(appID) else { throw Self.lost(appID) }
            return try opened(fetched, decision: decision, offlineReason: offlineReason)
        }
    }

    /// Waits until what is fetched beside running programs is here, or has failed.
    public func finishDownloads() async {
        for task in downloads.values { _ = await task.result }
    }

    /// Forgets everything that is kept of a mini program. `storage-failed`.
    public func remove(_ appID: String) throws { try store.remove(appID) }

    private static func lost(_ appID: String) -> AppContainerError {
        AppContainerError(code: .storageFailed, reason: "what is kept of \(AppContainerError.quoted(appID, limit: 32)) does not read back")
    }

    // MARK: Keeping

    /// A version that was read back and verified.
    private struct Kept {
        var metadata: MiniProgramMetadata
        var package: MiniProgramPackage?
        var archive: [UInt8]?
    }

    /// The version to start: the last that was fetched and is whole and the platform's. Others are passed over.
    private func current(_ appID: String) -> Kept? {
        for version in store.versions(of: appID) {
            guard let metadata = try? version.metadata.verified(by: keys, appID: appID),
                let package = try? package(version.archive, metadata)
            else { continue }
            return Kept(metadata: metadata, package: package, archive: version.archive)
        }
        return nil
    }

    /// Nil for an HTML5 mini program, which has none.
    private func package(_ archive: [UInt8]?, _ metadata: MiniProgramMetadata) throws -> MiniProgramPackage?? {
        guard let listed = metadata.package else { return .some(nil) }
        guard let archive, Int64(archive.count) == listed.size,
            Hexadecimal.encode(Array(SHA256.hash(data: archive))) == listed.sha256.lowercased()
        else { throw MiniProgramError(code: .hashMismatch, reason: "the archive is not the one that the metadata name") }
        return try UnverifiedMiniProgramPackage(contents: archives.contents(of: archive, limits: limits))
            .verified(by: keys, appID: metadata.appID, atLeast: metadata.version, limits: limits)
    }

    private func opened(_ kept: Kept, decision: UpdateDecision, offlineReason: String?) throws -> OpenedMiniProgram {
        let code = try kept.package.map { package throws(AppContainerError) in try MiniProgramCode(package: package) }
        return OpenedMiniProgram(
            metadata: kept.metadata, code: code ?? .webPages, files: kept.package?.files ?? [:], decision: decision,
            offlineReason: offlineReason)
    }

    private func keep(_ unverified: UnverifiedMiniProgramMetadata, _ metadata: MiniProgramMetadata, archive: [UInt8]?) throws {
        try store.keep(.init(version: metadata.version, metadata: unverified, archive: archive), of: metadata.appID)
    }

    private func fetch(
        _ unverified: UnverifiedMiniProgramMetadata, _ metadata: MiniProgramMetadata, from platform: any MiniProgramPlatform
    ) async throws {
        var archive: [UInt8]?
        if let listed = metadata.package {
            let bytes = try await platform.archive(of: listed)
            // Before it is kept: nothing that cannot be started takes the place of what can.
            _ = try package(bytes, metadata)
            archive = bytes
        }
        try keep(unverified, metadata, archive: archive)
    }

    private func fetchBeside(
        _ unverified: UnverifiedMiniProgramMetadata, _ metadata: MiniProgramMetadata, from platform: any MiniProgramPlatform
    ) {
        let name = "\(metadata.appID)@\(metadata.version)"
        guard downloads[name] == nil else { return }
        downloads[name] = Task { [weak self] in
            do {
                try await self?.fetch(unverified, metadata, from: platform)
                await self?.forget(name)
            } catch {
                // What is here goes on; the next start asks again.
                await self?.forget(name)
                throw error
            }
        }
    }

    private func forget(_ name: String) { downloads[name] = nil }
}
