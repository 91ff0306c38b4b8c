package import PaymentCrypto

/// The block before encryption: two spaces, four random letters, the clear text's length in two digits, the clear text, and `!` up to
/// a multiple of 8 (provisioning.md#visa-block [O]; lengths agree with a second source).
package enum VisaBlock {
    static let fillerCount = 4

    /// Four printable letters from `!` to `~`.
    static func filler(_ generator: inout some RandomNumberGenerator) -> [UInt8] {
        var draw = generator.next()
        return (0..<fillerCount).map { _ in
            // Of 94 letters some are likelier than others by less than one part in 10^11.
            defer { draw /= 94 }
            return 0x21 + UInt8(draw % 94)
        }
    }

    /// The clear text has 1 to 99 bytes.
    static func make(_ clearText: SecretBytes, filler: [UInt8]) -> SecretBytes {
        let digits = [UInt8(0x30 + clearText.count / 10 % 10), UInt8(0x30 + clearText.count % 10)]
        let rest = (8 - (8 + clearText.count) % 8) % 8
        return SecretBytes(joining: [[0x20, 0x20] + filler + digits, clearText, [UInt8](repeating: 0x21, count: rest)])
    }

    /// Throws `visa-block-form` and names the first part that is not as it must be.
    package static func clearText(_ block: [UInt8]) throws(ApplePayError) -> SecretBytes {
        guard block.count >= 16, block.count.isMultiple(of: 8) else { throw refused("it has \(block.count) bytes") }
        guard block[0] == 0x20, block[1] == 0x20 else { throw refused("it does not begin with two spaces") }
        guard block[2..<6].allSatisfy({ (0x21...0x7E).contains($0) }) else { throw refused("its filler is not printable") }
        let digits = block[6..<8].map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { throw refused("its length is not two digits") }
        let count = digits[0] * 10 + digits[1]
        guard count > 0, (8 + count + 7) / 8 * 8 == block.count else {
            throw refused("its length says \(count), and \(block.count) bytes are there")
        }
        guard block[(8 + count)...].allSatisfy({ $0 == 0x21 }) else { throw refused("its padding is not exclamation marks") }
        return SecretBytes(Array(block[8..<8 + count]))
    }

    private static func refused(_ reason: String, line: Int = #line) -> ApplePayError {
        ApplePayError(code: .visaBlockForm, reason: "what was decrypted is no block: \(reason)", line: line)
    }

    /// Lays the clear text out, encrypts it and overwrites what lay in between.
    static func sealed(
        _ clearText: SecretBytes, _ kind: VisaWireText.Kind, keySet: VisaKeySet, key: any TripleDESKey,
        using generator: inout some RandomNumberGenerator
    ) async throws(ApplePayError) -> VisaWireText {
        var block = make(clearText, filler: filler(&generator)).reveal()
        defer { block.wipe() }
        do throws(PaymentCryptoError) {
            return VisaWireText(kind: kind, keySet: keySet, data: try await key.encrypt(block))
        } catch {
            throw ApplePayError(code: .keyUnavailable, reason: "the key of set \(keySet) did not encrypt: \(error.code)")
        }
    }

    static func opened(_ text: VisaWireText, key: any TripleDESDecryptionKey) async throws(ApplePayError) -> SecretBytes {
        var block: [UInt8]
        do throws(PaymentCryptoError) {
            block = try await key.decrypt(text.data)
        } catch {
            throw ApplePayError(code: .keyUnavailable, reason: "the key of set \(text.keySet) did not decrypt: \(error.code)")
        }
        defer { block.wipe() }
        return try clearText(block)
    }

    /// Reads `key=value;key=value` with exactly these keys in this order.
    static func members(_ clearText: SecretBytes, _ keys: [String]) throws(ApplePayError) -> [String] {
        let parts = String(decoding: clearText.reveal(), as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == keys.count else {
            throw ApplePayError(code: .visaClearText, reason: "\(parts.count) members, not \(keys.count)")
        }
        var values: [String] = []
        for (key, part) in zip(keys, parts) {
            guard part.hasPrefix("\(key)=") else { throw ApplePayError(code: .visaClearText, reason: "member \(key) is missing") }
            values.append(String(part.dropFirst(key.count + 1)))
        }
        return values
    }
}
