import Foundation
import PaymentCrypto
import Testing

struct EncodingTests {
    @Test(arguments: [[0xFF], Array(0...255)] + (0...64).map { Array(0..<$0) } as [[UInt8]])
    func hexadecimalAndBase64RoundTrip(_ bytes: [UInt8]) throws {
        #expect(try Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
        #expect(try Hexadecimal.decode(Hexadecimal.encode(bytes, uppercase: true)) == bytes)
        #expect(try StrictBase64.decode(StrictBase64.encode(bytes)) == bytes)
        #expect(StrictBase64.encode(bytes) == Data(bytes).base64EncodedString())
    }

    @Test(arguments: ["0", "0g", "g0", "0x00", " 00", "00 ", "0\n", "é0"])
    func textThatIsNotHexadecimalIsRefused(_ text: String) {
        #expect(throws: PaymentCryptoError(code: .malformedHex, reason: "")) { try Hexadecimal.decode(text) }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAA=", "=AAA", "A===", "====", "AA=A", "AAAA====", "AAA AAAA", "AAA\n", "AA-A", "AA_A", "AB==",
        "AAB=", "AAAAAA=\u{0}", "ĀAAA", "AA==AAAA",
    ])
    func textThatIsNotStrictBase64IsRefused(_ text: String) {
        #expect(throws: PaymentCryptoError(code: .malformedBase64, reason: "")) { try StrictBase64.decode(text) }
    }

    @Test(arguments: [
        ("", true), ("74e2829020c3a9", true), ("f09f92b4", true), ("efbbbf41", true), ("410042", true), ("efbfbd", true), ("ff", false),
        ("41c3", false), ("c080", false), ("eda080", false), ("f4908080", false), ("80", false), ("e282", false),
    ])
    func bytesAreTextOnlyWhereTheyAreUTF8(_ hex: String, _ isText: Bool) throws {
        let bytes = try Hexadecimal.decode(hex)
        #expect(String(utf8: bytes).map { Array($0.utf8) } == (isText ? bytes : nil))
        #expect(String(repairing: bytes) == String(utf8: bytes))
    }

    @Test func refusalNamesTheFirstWrongPosition() {
        #expect { try StrictBase64.decode("AAAAAA*A") } throws: { ($0 as? PaymentCryptoError)?.reason.contains("position 6") == true }
        #expect { try Hexadecimal.decode("0000z0") } throws: { ($0 as? PaymentCryptoError)?.reason.contains("position 4") == true }
    }

    /// A part of a text lies in the middle of another's bytes; positions count from its own beginning.
    @Test func base64IsReadFromAPartOfAText() throws {
        let text = "id=" + StrictBase64.encode([UInt8](0...99)) + "&"
        #expect(try StrictBase64.decode(text.dropFirst(3).dropLast()) == [UInt8](0...99))
        #expect { try StrictBase64.decode("é AAAAAA*A".dropFirst(2)) } throws: {
            ($0 as? PaymentCryptoError)?.reason.contains("position 6") == true
        }
        #expect(try StrictBase64.decode(text.dropFirst(text.count)) == [])
    }

    @Test func pemReadsBlocksAmongOtherText() throws {
        let block = PEMText.Block(label: "THING", bytes: Array(0...99))
        let text = try PEMText("Bag Attributes\r\n  name: x\r\n\(block.text.replacing("\n", with: "\r\n"))tail\n\(block.text)")
        #expect(text.blocks == [block, block])
        #expect(try text.first("OTHER", "THING") == block.bytes)
        #expect(throws: PaymentCryptoError(code: .malformedPEM, reason: "")) { try text.first("OTHER") }
    }

    @Test(arguments: [
        "-----BEGIN A-----\nAAAA\n", "-----BEGIN A-----\nAAAA\n-----END B-----", "-----BEGIN A-----\n-----BEGIN A-----\n",
        "-----BEGIN A-----\nAA\n-----END A-----", "-----END A-----",
    ])
    func damagedPEMIsRefused(_ text: String) {
        #expect(throws: PaymentCryptoError(code: .malformedPEM, reason: "")) { try PEMText(text) }
    }

    @Test func constantTimeComparisonTellsEqualFromDifferent() {
        let bytes: [UInt8] = Array(0..<40)
        #expect(ConstantTime.equal(bytes, bytes))
        #expect(ConstantTime.equal([UInt8](), [UInt8]()))
        #expect(!ConstantTime.equal(bytes, Array(bytes.dropLast())))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(!ConstantTime.equal(bytes, other))
        }
    }

    @Test(arguments: [
        ("2.5.4.3", "550403"), ("1.2.840.113635.100.6.2.14", "2a864886f7636406020e"),
        ("0.9.2342.19200300.100.1.1", "0992268993f22c640101"), ("2.999.1", "883701"),
    ])
    func objectIdentifierKnowsItsEncoding(_ dotted: String, _ hex: String) throws {
        let oid = try #require(OID(dotted))
        #expect(Hexadecimal.encode(oid.encoded) == hex)
        #expect(oid.description == dotted)
    }

    @Test(arguments: ["", "1", "3.1", "1.40", "1..2", "1.a", "1.-2"])
    func textThatIsNoObjectIdentifierIsNil(_ text: String) { #expect(OID(text) == nil) }

    @Test func serialNumberKnowsDecimalAndHexadecimal() throws {
        let serial = SerialNumber(magnitude: try Hexadecimal.decode("104693AB89"))
        #expect(serial.hex == "104693AB89")
        #expect(serial.decimal == "69903559561")
        #expect(SerialNumber(decimal: "69903559561") == serial)
        #expect(SerialNumber(magnitude: [0xFF, 0xFF]).decimal == "65535")
        #expect(SerialNumber(magnitude: [0xFF, 0xFF]).hex == "FFFF")
        #expect(SerialNumber(decimal: "0")?.decimal == "0")
        #expect(SerialNumber(decimal: "12a") == nil)
        #expect(SerialNumber(decimal: "-1") == nil)
    }
}
