import Foundation
import PaymentCrypto
import Testing

struct KeyRingTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func oldAndNewKeyAreThereAtOnceUntilTheOldOneIsRetired() throws {
        var ring = KeyRing<String>(active: "2024", "old key", notBefore: start, notAfter: start + 100)
        try ring.add("2026", "new key", notBefore: start + 50, notAfter: start + 200)
        #expect(try ring.active.id == "2026")
        #expect(try ring.key("2024") == "old key")
        #expect(try ring.key("2026") == "new key")
        #expect(ring.list.map(\.state) == [.old, .active])
        try ring.retire("2024", at: start + 120)
        #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) { try ring.key("2024") }
        #expect(ring.list.map(\.state) == [.retired, .active])
        #expect(ring.list[0].retiredAt == start + 120)
        #expect(ring.list[0].notAfter == start + 100)
    }

    @Test func anIdThatOnlyLooksLikeAnotherNamesAnotherKey() throws {
        var ring = KeyRing<Int>(active: "K1", 1)
        #expect(throws: PaymentCryptoError.self) { try ring.key("\u{212A}1") }
        try ring.add("\u{212A}1", 2)
        #expect(try ring.key("K1") == 1 && ring.key("\u{212A}1") == 2)
    }

    @Test func unknownAndDuplicateKeysAreRefused() throws {
        var ring = KeyRing<Int>(active: "a", 1)
        #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try ring.key("b") }
        #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try ring.retire("b", at: start) }
        #expect(throws: PaymentCryptoError(code: .duplicateKey, reason: "")) { try ring.add("a", 2) }
        #expect(try ring.key("a") == 1)
        try ring.retire("a", at: start)
        try ring.retire("a", at: start + 5)
        #expect(ring.list[0].retiredAt == start)
        #expect(throws: PaymentCryptoError(code: .noActiveKey, reason: "")) { try ring.active.id }
        #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) { try ring.activate("a") }
        #expect(throws: PaymentCryptoError(code: .duplicateKey, reason: "")) { try ring.add("a", 3) }
    }

    @Test func activatingAnOldKeySwapsTheTwo() throws {
        var ring = KeyRing<Int>(active: "a", 1)
        try ring.add("b", 2, state: .old)
        #expect(try ring.active.key == 1)
        try ring.activate("b")
        #expect(try ring.active.key == 2)
        #expect(ring.list.map(\.state) == [.old, .active])
        try ring.activate("b")
        #expect(ring.list.filter { $0.state == .active }.count == 1)
    }
}
