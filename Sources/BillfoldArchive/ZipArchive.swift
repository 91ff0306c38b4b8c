import CArchive

/// A zip archive in memory. No file system is touched, so names cannot lead anywhere; unsafe ones are refused all the same.
public struct ZipArchive: Sendable, Hashable {
    /// One file.
    public struct Entry: Sendable, Hashable {
        /// Relative, with `/` between folders.
        public var name: String
        public var bytes: [UInt8]

        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    public var entries: [Entry]

    // libarchive names these in macros that do not reach Swift.
    private static let regularFile: UInt32 = 0o100000
    private static let folder: UInt32 = 0o040000

    public init(entries: [Entry]) { self.entries = entries }

    /// Unpacks, and stops at the first limit that is passed. Folders are left out.
    public init(_ packed: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        guard let reader = archive_read_new() else { throw ArchiveError(code: .failed, reason: "no memory for a reader") }
        defer { archive_read_free(reader) }
        archive_read_support_format_zip(reader)
        // The reader keeps a pointer to the packed bytes, so all reading happens while they are pinned.
        let result: Result<[Entry], ArchiveError> = packed.withUnsafeBytes { buffer in
            guard archive_read_open_memory(reader, buffer.baseAddress, buffer.count) == ARCHIVE_OK else {
                return .failure(ArchiveError(code: .malformed, reason: "these bytes are no zip archive"))
            }
            do throws(ArchiveError) { return .success(try Self.readAll(reader, packed: packed.count, limits)) } catch {
                return .failure(error)
            }
        }
        entries = try result.get()
    }

    /// Packs with deflate. Times are fixed, so the same entries give the same bytes.
    public func packed() throws(ArchiveError) -> [UInt8] {
        var seen: Set<String> = []
        for entry in entries {
            try Self.check(name: entry.name)
            guard seen.insert(entry.name).inserted else { throw ArchiveError(code: .unsafeName, reason: "a name occurs twice") }
        }
        guard let writer = archive_write_new() else { throw ArchiveError(code: .failed, reason: "no memory for a writer") }
        defer { archive_write_free(writer) }
        archive_write_set_format_zip(writer)
        archive_write_add_filter_none(writer)
        // Local headers, central directory and padding take less than this beside content that does not shrink.
        let capacity = entries.reduce(65_536) { $0 + $1.bytes.count + $1.bytes.count / 100 + 2 * $1.name.utf8.count + 512 }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        defer { buffer.deallocate() }
        var used = 0
        let isWritten = withUnsafeMutablePointer(to: &used) { used in
            guard archive_write_open_memory(writer, buffer, capacity, used) == ARCHIVE_OK else { return false }
            for entry in entries where !Self.write(entry, to: writer) { return false }
            return archive_write_close(writer) == ARCHIVE_OK
        }
        guard isWritten else { throw ArchiveError(code: .failed, reason: "the archive could not be written") }
        return Array(UnsafeRawBufferPointer(start: buffer, count: used))
    }

    private static func write(_ entry: Entry, to writer: OpaquePointer) -> Bool {
        guard let header = archive_entry_new() else { return false }
        defer { archive_entry_free(header) }
        archive_entry_set_pathname_utf8(header, entry.name)
        archive_entry_set_size(header, Int64(entry.bytes.count))
        archive_entry_set_filetype(header, Self.regularFile)
        archive_entry_set_perm(header, 0o644)
        archive_entry_set_mtime(header, 315_532_800, 0)  // 1980-01-01, the first time that zip can write.
        guard archive_write_header(writer, header) == ARCHIVE_OK else { return false }
        return entry.bytes.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) == $0.count }
    }

    private static func readAll(_ reader: OpaquePointer, packed: Int, _ limits: ArchiveLimits) throws(ArchiveError) -> [Entry] {
        var entries: [Entry] = []
        var names: Set<String> = []
        var total = 0
        var count = 0
        while true {
            var header: OpaquePointer?
            let status = archive_read_next_header(reader, &header)
            if status == ARCHIVE_EOF { break }
            guard status == ARCHIVE_OK, let header else { throw malformed }
            count += 1
            guard count <= limits.entries else {
                throw ArchiveError(code: .tooLarge, reason: "there are more than \(limits.entries) entries")
            }
            guard let pointer = archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header),
                let name = String(validatingCString: pointer)
            else { throw ArchiveError(code: .unsafeName, reason: "a name is not UTF-8") }
            if UInt32(archive_entry_filetype(header)) == folder { continue }
            guard UInt32(archive_entry_filetype(header)) == regularFile, archive_entry_is_encrypted(header) == 0 else {
                throw ArchiveError(code: .unsupportedEntry, reason: "an entry is no plain file")
            }
            try check(name: name)
            guard names.insert(name).inserted else { throw ArchiveError(code: .unsafeName, reason: "a name occurs twice") }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let read = chunk.withUnsafeMutableBytes { archive_read_data(reader, $0.baseAddress, $0.count) }
                guard read >= 0 else { throw malformed }
                if read == 0 { break }
                total += read
                guard bytes.count + read <= limits.entryBytes else {
                    throw ArchiveError(code: .tooLarge, reason: "an entry has more than \(limits.entryBytes) bytes")
                }
                try limits.check(total: total, packed: packed)
                bytes += chunk[..<read]
            }
            entries.append(Entry(name: name, bytes: bytes))
        }
        guard count > 0 || packed > 0 else { throw malformed }
        return entries
    }

    private static var malformed: ArchiveError { ArchiveError(code: .malformed, reason: "the zip archive is damaged") }

    static func check(name: String) throws(ArchiveError) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe =
            !name.isEmpty && !name.contains("\\") && !name.unicodeScalars.contains(where: { $0.value < 0x20 })
            && !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
        guard isSafe else { throw ArchiveError(code: .unsafeName, reason: "a name is absolute or leaves the folder") }
    }
}
