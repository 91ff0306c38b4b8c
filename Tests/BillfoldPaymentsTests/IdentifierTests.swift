import BillfoldPayments
import BillfoldStorage
import Crypto
import Testing

@Suite struct IdentifierTests {
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
        #expect(RequestFingerprint(texts: ["ab", "c"]) != RequestFingerprint(texts: ["a", "bc"]))
    }

    /// What is stored under keys must be recognised by the next version, too: SHA-256 of each part behind its length in eight bytes.
    @Test func fingerprintOfATextIsThatOfItsBytes() {
        let texts = ["é", "", "x"]
        #expect(RequestFingerprint(texts: texts) == RequestFingerprint(parts: texts.map { Array($0.utf8) }))
        #expect(RequestFingerprint(parts: [[7]], texts: texts) == RequestFingerprint(parts: [[7]] + texts.map { Array($0.utf8) }))
        let text: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2, 0xC3, 0xA9] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 1, 0x78]
        #expect(RequestFingerprint(texts: texts).bytes == Array(SHA256.hash(data: text)))
    }

    @Test func keyedHashMatchesOnlySameValuePurposeAndKey() {
        let key = HashingKey(SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let hash = KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: key)
        #expect(hash.matches(KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: key)))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 4], purpose: "client-secret", key: key)))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 3], purpose: "api-key", key: key)))
        let other = HashingKey(SymmetricKey(data: [UInt8](repeating: 2, count: 32)))
        #expect(!hash.matches(KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: other)))
        #expect(!hash.matches(KeyedHash(stored: [])))
    }

    /// A comparison that looks at one byte alone lets one guess of 256 pass.
    @Test func everyByteOfAKeyedHashCounts() {
        let key = HashingKey(SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let hash = KeyedHash(of: [1, 2, 3], purpose: "client-secret", key: key)
        for place in hash.bytes.indices {
            for value in UInt8.min...UInt8.max where value != hash.bytes[place] {
                var bytes = hash.bytes
                bytes[place] = value
                #expect(!hash.matches(KeyedHash(stored: bytes)))
            }
        }
    }

    @Test func noGuessMatchesAKeyedHash() {
        let key = HashingKey(SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let hash = KeyedHash(of: "the secret".utf8, purpose: "client-secret", key: key)
        let passed = (0..<4_096).filter { hash.matches(KeyedHash(of: "guess \($0)".utf8, purpose: "client-secret", key: key)) }
        #expect(passed == [])
    }
}
