import BillfoldStorage
import BillfoldTestSupport
import Testing

struct TimeOrderedIDTests {
    @Test func idsOfLaterInstantsAreGreater() {
        var generator = SeededStoreGenerator(seed: 1)
        let ids = (0..<2_000).map { TimeOrderedID(at: Timestamp(microseconds: 1_700_000_000_000_000 + $0 * 7), using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        #expect(Set(ids).count == ids.count)
    }

    @Test func layoutIsThatOfVersionSeven() {
        var generator = SeededStoreGenerator(seed: 1)
        // RFC 9562, appendix A.6: 2022-02-22T19:22:22Z is 0x017F22E279B0 milliseconds.
        let id = TimeOrderedID(at: Timestamp(microseconds: 0x017F_22E2_79B0 * 1_000), using: &generator)
        #expect(id.description.hasPrefix("017f22e279b07000"))
        #expect(id.bytes[8] >> 6 == 2)
    }

    @Test(arguments: [0, 1, 999, 1_000, 1_700_000_000_123_456, 1_700_000_000_999_999] as [Int64])
    func instantCanBeReadBack(_ microseconds: Int64) {
        var generator = SeededStoreGenerator(seed: 2)
        #expect(TimeOrderedID(at: Timestamp(microseconds: microseconds), using: &generator).instant.microseconds == microseconds)
    }

    @Test func textAndBytesComeBack() throws {
        var generator = SeededStoreGenerator(seed: 3)
        let id = TimeOrderedID(at: Timestamp(microseconds: 1_700_000_000_123_456), using: &generator)
        #expect(try TimeOrderedID(text: id.description) == id)
        #expect(try TimeOrderedID(bytes: id.bytes) == id)
        #expect(try Row([id.sqlValue]).timeOrderedID(0) == id)
    }

    @Test(arguments: [
        "", "017f22e279b07000", "017F22E279B070008000000000000000", "017f22e279b0700080000000000000000",
        "017f22e2-79b0-7000-8000-000000000000", "017f22e279b04000800000000000000g", "017f22e279b04000a000000000000000",
        "017f22e279b070004000000000000000", " 17f22e279b070008000000000000000",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: StorageError.self) { try TimeOrderedID(text: text) }
    }
}
