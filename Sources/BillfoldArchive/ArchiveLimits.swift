/// How much unpacking may produce. What a stranger sends is unpacked only within such limits.
public struct ArchiveLimits: Sendable, Hashable {
    /// Bytes of one entry, unpacked.
    public var entryBytes: Int
    /// Bytes of all entries together, unpacked.
    public var totalBytes: Int
    public var entries: Int
    /// Unpacked bytes for each packed byte, counted over the whole archive once ``ratioFreeBytes`` are out.
    public var ratio: Int
    /// Up to here no ratio is counted: short texts of blanks pack very well.
    public var ratioFreeBytes: Int

    public init(
        entryBytes: Int = 64 << 20, totalBytes: Int = 128 << 20, entries: Int = 1000, ratio: Int = 200, ratioFreeBytes: Int = 1 << 20
    ) {
        self.entryBytes = entryBytes
        self.totalBytes = totalBytes
        self.entries = entries
        self.ratio = ratio
        self.ratioFreeBytes = ratioFreeBytes
    }

    func check(total: Int, packed: Int) throws(ArchiveError) {
        guard total <= totalBytes else { throw ArchiveError(code: .tooLarge, reason: "more than \(totalBytes) bytes come out") }
        guard total <= ratioFreeBytes || total / max(packed, 1) <= ratio else {
            throw ArchiveError(code: .tooLarge, reason: "more than \(ratio) bytes come out for each byte")
        }
    }
}
