import Crypto
import Foundation

/// The encoded message of an RSASSA-PSS signature with SHA-256 (RFC 8017, section 9.1), for saying that a signature is one.
struct PSSBlock {
    private let hash: [UInt8]
    private let salt: [UInt8]

    /// Nil for a block that no such signature has.
    init?(_ block: [UInt8]) {
        guard block.count > 66, block.last == 0xBC else { return nil }
        hash = Array(block[(block.count - 33)..<(block.count - 1)])
        let masked = block[..<(block.count - 33)]
        var counter: UInt32 = 0
        var mask: [UInt8] = []
        while mask.count < masked.count {
            mask += Array(
                SHA256.hash(
                    data: hash + [UInt8(counter >> 24), UInt8(counter >> 16 & 0xFF), UInt8(counter >> 8 & 0xFF), UInt8(counter & 0xFF)]))
            counter += 1
        }
        var data = zip(masked, mask).map { $0 ^ $1 }
        // The modulus has one bit more than the encoded message.
        data[0] &= 0x7F
        guard let one = data.firstIndex(where: { $0 != 0 }), data[one] == 1 else { return nil }
        salt = Array(data[(one + 1)...])
    }

    func fits(_ text: [UInt8]) -> Bool {
        Array(SHA256.hash(data: [UInt8](repeating: 0, count: 8) + Array(SHA256.hash(data: text)) + salt)) == hash
    }
}
