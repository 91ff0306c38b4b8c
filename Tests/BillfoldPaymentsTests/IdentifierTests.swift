import BillfoldPayments
import BillfoldStorage
import Crypto
import Testing

@Suite struct IdentifierTests {
    @Test func laterIdentifiersSortLater() {
        let early = Identifier(at: Timestamp(microseconds: 1_000_000), random: (.max, .max))
        let late = Identifier(at: Timestamp(microseconds: 1_001_000), random: (0, 0))
        #expect(early < late)
        #expect(early.bytes.lexicographicallyPrecedes(late.bytes))
    }

    @Test func textReadsBack() throws {
        let id = Identifier(at: Timestamp(secondsSince1970: 1_790_000_000), random: (0x1234_5678_9ABC_DEF0, 0x0FED_CBA9_8765_4321))
        #expect(try Identifier(id.description) == id)
        #expect(try Identifier(bytes: id.bytes) == id)
        #expect(id.description.utf8.count == 32)
    }

    @Test(arguments: ["", "0", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdeg", "0123456789ABCDEF0123456789ABCDEF"])
    func malformedTextIsRefused(_ text: String) {
        #expect { try Identifier(text) } throws: { ($0 as? PaymentsError)?.code == .malformedIdentifier }
    }

    @Test(arguments: ["", "a b", "a\n", "é", String(repeating: "x", count: 65)])
    func malformedMerchantIsRefused(_ text: String) {
        #expect { try MerchantID(text) } throws: { ($0 as? PaymentsError)?.code == .malformedIdentifier }
    }

    @Test(arguments: ["", "a b", "a\n", "é", String(repeating: "x", count: 256)])
    func malformedIdempotencyKeyIsRefused(_ text: String) {
        #expect { try IdempotencyKey(caller: "c", operation: "o", key: text) } throws: {
            ($0 as? PaymentsError)?.code == .malformedIdentifier
        }
    }

    @Test func fingerprintTellsFieldBoundaries() {
        #expect(RequestFingerprint(parts: [[1, 2], [3]]) != RequestFingerprint(parts: [[1], [2, 3]]))
    }

    @Test func keyedHashMatchesOnlySameValuePurposeAndKey() {
        let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
        let hash = KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: key)
        #expect(hash.matches(KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: key)))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 4], purpose: "client-secret", key: key)))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 3], purpose: "api-key", key: key)))
        let other = SymmetricKey(data: [UInt8](repeating: 2, count: 32))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: other)))
        #expect(!hash.matches(KeyedHash(stored: [])))
    }
}
