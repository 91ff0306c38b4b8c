import BillfoldArchive
public import MiniPrograms

/// Packages of mini programs as zip archives.
public struct ZipPackages: PackageArchives {
    public init() {}

    public func contents(of archive: [UInt8], limits: PackageLimits = PackageLimits()) throws(MiniProgramError) -> [String: [UInt8]] {
        do throws(ArchiveError) {
            let zip = try ZipArchive(
                archive,
                limits: ArchiveLimits(
                    entryBytes: limits.fileBytes, totalBytes: limits.totalBytes, entries: limits.entries, ratio: limits.ratio))
            return Dictionary(zip.entries.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        } catch {
            throw Self.refusal(error)
        }
    }

    /// The archive's bytes; the same entries give the same. `unsafe-path`, `malformed-archive`.
    public func archive(_ entries: [(path: String, bytes: [UInt8])]) throws(MiniProgramError) -> [UInt8] {
        do throws(ArchiveError) {
            return try ZipArchive(entries: entries.map { .init(name: $0.path, bytes: $0.bytes) }).packed()
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: ArchiveError) -> MiniProgramError {
        let code: MiniProgramError.Code =
            switch error.code {
            case .tooLarge: .tooLarge
            case .unsafeName, .unsupportedEntry: .unsafePath
            default: .malformedArchive
            }
        return MiniProgramError(code: code, reason: error.reason)
    }
}
