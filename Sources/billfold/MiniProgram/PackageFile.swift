import MiniProgramZip
import MiniPrograms

/// A mini program's package as a file.
enum PackageFile {
    /// The most that is read of a package.
    static let megabytes = 32

    static func read(_ path: String) throws -> UnverifiedMiniProgramPackage {
        UnverifiedMiniProgramPackage(contents: try ZipPackages().contents(of: CommandFile.read(path, megabytes: megabytes)))
    }
}
