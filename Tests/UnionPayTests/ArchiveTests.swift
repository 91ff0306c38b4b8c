import BillfoldArchive
import Testing

@Suite struct ArchiveTests {
    @Test func filesRoundTrip() throws {
        let entries = [
            ZipArchive.Entry(name: "INN_ZM_1.txt", bytes: Array(repeating: 65, count: 100_000)),
            .init(name: "folder/名.bin", bytes: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }), .init(name: "empty", bytes: []),
        ]
        let packed = try ZipArchive(entries: entries).packed()
        #expect(try ZipArchive(entries: entries).packed() == packed)
        #expect(try ZipArchive(packed).entries == entries)
        #expect(try ZlibStream.decompressed(ZlibStream.compressed(packed)) == packed)
    }

    @Test func zipBombIsRefused() throws {
        let bomb = try ZipArchive(entries: [.init(name: "a", bytes: [UInt8](repeating: 0, count: 8 << 20))]).packed()
        #expect(bomb.count < 20_000)
        let error = #expect(throws: ArchiveError.self) { try ZipArchive(bomb) }
        #expect(error?.code == .tooLarge)
    }

    @Test func zlibBombIsRefused() throws {
        let bomb = try ZlibStream.compressed([UInt8](repeating: 0, count: 8 << 20))
        let error = #expect(throws: ArchiveError.self) { try ZlibStream.decompressed(bomb) }
        #expect(error?.code == .tooLarge)
    }

    @Test func limitsOnEntriesAndSizesHold() throws {
        let entries = (0..<20).map { ZipArchive.Entry(name: "f\($0)", bytes: [UInt8](repeating: UInt8($0), count: 100)) }
        let packed = try ZipArchive(entries: entries).packed()
        for limits in [ArchiveLimits(entries: 19), ArchiveLimits(entryBytes: 99), ArchiveLimits(totalBytes: 1999)] {
            let error = #expect(throws: ArchiveError.self) { try ZipArchive(packed, limits: limits) }
            #expect(error?.code == .tooLarge)
        }
        #expect(try ZipArchive(packed, limits: ArchiveLimits(entryBytes: 100, totalBytes: 2000, entries: 20)).entries.count == 20)
    }

    @Test(arguments: ["/etc/passwd", "../x", "a/../x", "", "a//b", "a\\b"]) func unsafeNameIsRefused(name: String) {
        let error = #expect(throws: ArchiveError.self) { try ZipArchive(entries: [.init(name: name, bytes: [1])]).packed() }
        #expect(error?.code == .unsafeName)
    }

    @Test func nameThatOccursTwiceIsRefused() {
        #expect(throws: ArchiveError.self) {
            try ZipArchive(entries: [.init(name: "a", bytes: []), .init(name: "a", bytes: [1])]).packed()
        }
    }

    @Test func damagedStreamsAreRefused() throws {
        let stream = try ZlibStream.compressed(Array("some text that is long enough to be packed".utf8))
        for index in stream.indices where index > 1 {
            var changed = stream
            changed[index] ^= 0x10
            if let back = try? ZlibStream.decompressed(changed) { #expect(back != Array("x".utf8), "\(index)") }
        }
        #expect(throws: ArchiveError.self) { try ZlibStream.decompressed(Array(stream.dropLast())) }
        #expect(throws: ArchiveError.self) { try ZlibStream.decompressed(stream + [0]) }
        #expect(throws: ArchiveError.self) { try ZlibStream.decompressed([]) }
        #expect(throws: ArchiveError.self) { try ZipArchive(Array("PK no archive".utf8)) }
    }

    @Test func damagedArchiveNeverCrashes() throws {
        let packed = try ZipArchive(entries: [.init(name: "a.txt", bytes: Array("hello hello hello".utf8))]).packed()
        for index in packed.indices {
            for mask: UInt8 in [1, 0x80] {
                var changed = packed
                changed[index] ^= mask
                _ = try? ZipArchive(changed, limits: ArchiveLimits(totalBytes: 1 << 20))
            }
            _ = try? ZipArchive(Array(packed[..<index]))
        }
    }
}
