import BillfoldArchive
import MiniPrograms

/// A mini program's package as a file: a zip archive.
struct PackageFile: PackageArchives {
    /// The most that is read of a package.
    static let megabytes = 32

    static func read(_ path: String) throws -> UnverifiedMiniProgramPackage {
        UnverifiedMiniProgramPackage(contents: try PackageFile().contents(of: CommandFile.read(path, megabytes: megabytes)))
    }

    func contents(of archive: [UInt8], limits: PackageLimits = PackageLimits()) throws(MiniProgramError) -> [String: [UInt8]] {
        do throws(ArchiveError) {
            let zip = try ZipArchive(
                archive,
                limits: ArchiveLimits(
                    entryBytes: limits.fileBytes, totalBytes: limits.totalBytes, entries: limits.entries, ratio: limits.ratio))
            return Dictionary(zip.entries.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        } catch {
            let code: MiniProgramError.Code =
                switch error.code {
                case .tooLarge: .tooLarge
                case .unsafeName, .unsupportedEntry: .unsafePath
                default: .malformedArchive
                }
            throw MiniProgramError(code: code, reason: error.reason)
        }
    }

    /// The archive's bytes; the same entries give the same.
    static func bytes(_ entries: [(path: String, bytes: [UInt8])]) throws -> [UInt8] {
        do throws(ArchiveError) {
            return try ZipArchive(entries: entries.map { .init(name: $0.path, bytes: $0.bytes) }).packed()
        } catch {
            throw CommandFailure(.ourFault, code: "internal", reason: error.reason)
        }
    }
}
