/// What an archive says of one of its entries, before anything is unpacked.
public struct PackageEntry: Sendable, Hashable {
    /// What the entry would become on a disk.
    public enum Kind: String, Sendable, Hashable {
        case file
        case folder
        /// A link, a device or anything else that is no plain file.
        case other
    }

    public var path: String
    public var kind: Kind
    /// Bytes when unpacked, as the archive claims. Reading has to stop there all the same.
    public var size: Int
    /// Bytes in the archive; nil where the archive does not say.
    public var packedSize: Int?

    public init(path: String, kind: Kind = .file, size: Int, packedSize: Int? = nil) {
        self.path = path
        self.kind = kind
        self.size = size
        self.packedSize = packedSize
    }
}

/// How much a package may be. The figures for one package vary by vendor and year (mini-programs.md#packages [D]); these are ours.
public struct PackageLimits: Sendable, Hashable {
    public var entries: Int
    /// Of one file, unpacked.
    public var fileBytes: Int
    /// Of all files, unpacked.
    public var totalBytes: Int
    /// How many times larger a file may be than its packed form. Text packs 20 times; a bomb, thousands.
    public var ratio: Int
    public var pathBytes: Int

    public init(
        entries: Int = 4_000, fileBytes: Int = 4 << 20, totalBytes: Int = 20 << 20, ratio: Int = 200, pathBytes: Int = 512
    ) {
        self.entries = entries
        self.fileBytes = fileBytes
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.pathBytes = pathBytes
    }

    /// Holds an archive's list of entries against the rules. `unsafe-path`, `too-large`, `duplicate-entry`.
    public func check(_ entries: [PackageEntry]) throws(MiniProgramError) {
        guard entries.count <= self.entries else { throw Self.tooLarge("\(entries.count) entries, at most \(self.entries)") }
        var seen: Set<String> = []
        var total = 0
        for entry in entries {
            let path = entry.kind == .folder && entry.path.hasSuffix("/") ? String(entry.path.dropLast()) : entry.path
            try checkPath(path)
            guard entry.kind != .other else {
                throw MiniProgramError(code: .unsafePath, reason: "\(MiniProgramError.quoted(path)) is no plain file")
            }
            guard seen.insert(Self.folded(path)).inserted else {
                throw MiniProgramError(code: .duplicateEntry, reason: "\(MiniProgramError.quoted(path)) is there twice, or as good as")
            }
            guard entry.kind == .file else { continue }
            guard (0...fileBytes).contains(entry.size) else {
                throw Self.tooLarge("\(MiniProgramError.quoted(path)) is larger than \(fileBytes) bytes")
            }
            total += entry.size
            guard total <= totalBytes else { throw Self.tooLarge("more than \(totalBytes) bytes in all") }
            // Small files may be empty in their packed form.
            if let packed = entry.packedSize, entry.size > 4_096, entry.size / max(packed, 1) > ratio {
                throw Self.tooLarge("\(MiniProgramError.quoted(path)) unpacks to more than \(ratio) times its size")
            }
        }
    }

    /// Refuses a path that leaves the package, or that two systems read differently. `unsafe-path`.
    public func checkPath(_ path: String) throws(MiniProgramError) {
        func unsafe(_ reason: String) -> MiniProgramError {
            MiniProgramError(code: .unsafePath, reason: "\(MiniProgramError.quoted(path)) \(reason)")
        }
        guard !path.isEmpty, path.utf8.count <= pathBytes else { throw unsafe("is empty or too long") }
        guard path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f && !$0.properties.isDefaultIgnorableCodePoint }) else {
            throw unsafe("has a character that is not shown")
        }
        guard !path.contains(where: { #"\:*?"<>|"#.contains($0) }) else {
            throw unsafe("has a character that some systems read as a separator")
        }
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part != ".", part != ".." else { throw unsafe("is absolute, or steps out of its folder") }
            guard part.last != ".", part.last != " ", part.first != " ", part.utf8.count <= 255 else {
                throw unsafe("has a part that some systems shorten")
            }
        }
    }

    /// A path as the least careful file system sees it: no letter case, and one form of each accent, as Swift compares texts.
    static func folded(_ path: String) -> String { path.lowercased() }

    private static func tooLarge(_ reason: String) -> MiniProgramError { MiniProgramError(code: .tooLarge, reason: reason) }
}
