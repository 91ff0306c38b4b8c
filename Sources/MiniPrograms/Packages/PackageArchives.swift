/// Unpacks packages. The implementation is passed in, because archives are for a library of their own.
public protocol PackageArchives: Sendable {
    /// Every file of an archive by its path. It stops at the first limit that is passed.
    ///
    /// - Throws: `malformed-archive`, `too-large`, `unsafe-path`.
    func contents(of archive: [UInt8], limits: PackageLimits) throws(MiniProgramError) -> [String: [UInt8]]
}
