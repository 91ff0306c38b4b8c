import MiniPrograms
import PaymentCrypto
import Testing

@Suite struct SealedDataTests {
    /// Sealed by OpenSSL 3.0 (`enc -aes-128-cbc` with a vector of zeros), and signed over the quoted text by its `dgst -sha256 -sign`.
    private let response = "igATcyTqqgv1AFpBiHJyVf94zn4d80DWhHrnUhty+8QLcUOlYjxvP9Xk+YXblbTSoe2bGplnUECoaQrDECEzOw=="
    private let sign =
        "KyaTNNZVNayyY7XbNrSuhyTpTjF4nwbdU6EtqdKPwRkoNAtjN99s4+sWMZlpNJJpFAyzDJr+i7qiTbfm2aBmKmT8B9EKqA9c"
        + "FHuEQjb7//oNsMmlQn5+ufYVTCXGAs5TU5n22bprzMeGL2YisyMu/6u29CVIwKI0kdd1gh9ohpt3GQVcMee8w8mvHGOqB6+y"
        + "CZJRIpESF+IRKmPE0UqGBnfFK+7HVOLS+PEUF3atep+un/uUVh5/6vly9tEc3ZAgW0xYvWNCGNK5tQU/9esW4jWo1W9e9PBo"
        + "FaJRQnHMXzoXSGD49lhpzL7hpON+uzTBaVNW4LPdNFcva/heWKQvog=="
    private let publicKey =
        "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxR0UJbDpybic/10ucemlB/pgLG952u4w01/chXZViyYYEeF72vDI"
        + "LN/6ZkXnHQYZz4qgz8cUkGppnCYz7nBeEq4P4wRmerE/gxHjDPIjbVpYWqVAj54O0RfZyI3257JBrwxml+i8ZGgVCxjR8rPf"
        + "M6Ur2KPAwT+FLpBU0HWAfSWlk5Z/SBxPzzdpvc1RnkdmSMSnhtwPX8FSb6EYzedgLDn+Yme2uFBZ2WYZ6MZxBzRd0U3kv3aX"
        + "p6AdxNKWOjzyS+0RUA1Ir/kF5/TR809dpDd6fg4ZcxGj1HDIQUOjst3Ij0si0fFiGxZyNzz97vQA2Y+VqLSS257VBHbSyDaL" + "8wIDAQAB"
    private let text = #"{"code":"10000","msg":"Success","mobile":"13800000000"}"#

    private func aes(_ first: UInt8 = 0) throws -> LegacyAESCBC { try LegacyAESCBC(key: [first] + Array(1...15)) }

    private func key() throws -> PublicKey { try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(publicKey)) }

    private func envelope(_ change: (inout [String: String]) -> Void = { _ in }) -> [UInt8] {
        var members = ["response": response, "sign": sign, "sign_type": "RSA2", "encrypt_type": "AES", "charset": "UTF-8"]
        change(&members)
        return Array(("{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}").utf8)
    }

    private func code(_ bytes: [UInt8], _ aes: LegacyAESCBC? = nil) throws -> MiniProgramError.Code? {
        do {
            _ = try UnverifiedSealedData(bytes).verified(by: key()).opened(with: aes ?? self.aes())
            return nil
        } catch { return (error as? MiniProgramError)?.code }
    }

    @Test func envelopeFromOutsideIsVerifiedAndOpened() throws {
        let opened = try UnverifiedSealedData(envelope()).verified(by: key()).opened(with: aes())
        #expect(String(decoding: opened, as: UTF8.self) == text)
        // As `my.getPhoneNumber` answers: a text in `response`.
        let quoted = String(decoding: envelope(), as: UTF8.self).replacing("\"", with: "\\\"")
        let answer = Array("{\"response\":\"\(quoted)\"}".utf8)
        #expect(try UnverifiedSealedData(answer).verified(by: key()).opened(with: aes()) == opened)
    }

    @Test func whatIsSealedHereIsWhatOpenSSLMakes() throws {
        let signer = try TestKeys.rsa.get()
        let sealed = try SealedData(sealing: Array(text.utf8), with: aes(), signedBy: signer)
        let body = String(decoding: sealed.body, as: UTF8.self)
        #expect(body.hasPrefix("{\"response\":\"\(response)\",\"sign\":\""))
        #expect(body.hasSuffix(#","sign_type":"RSA2","encrypt_type":"AES","charset":"UTF-8"}"#))
        #expect(try UnverifiedSealedData(sealed.body).verified(by: signer.publicKey).opened(with: aes()) == Array(text.utf8))
        #expect(throws: MiniProgramError(code: .unusableKey, reason: "")) {
            try SealedData(sealing: [], with: aes(), signedBy: TestKeys.p256(1))
        }
    }

    @Test func everyChangeHasItsCode() throws {
        #expect(try code(envelope()) == nil)
        #expect(try code(envelope { $0["response"] = "A" + response.dropFirst() }) == .signatureMismatch)
        #expect(try code(envelope { $0["sign"] = "A" + sign.dropFirst() }) == .signatureMismatch)
        #expect(try code(envelope { $0["sign"] = nil }) == .missingField)
        #expect(try code(envelope { $0["response"] = nil }) == .malformedField)
        #expect(try code(envelope { $0["response"] = "*" }) == .malformedField)
        #expect(try code(envelope { $0["sign_type"] = "RSA" }) == .malformedField)
        #expect(try code(envelope { $0["encrypt_type"] = "NONE" }) == .malformedField)
        #expect(try code(envelope { $0["charset"] = "GBK" }) == .malformedField)
        #expect(try code(Array(#"{"response":{"code":"10000","mobile":"138"},"sign":"AA=="}"#.utf8)) == .malformedField)
        #expect(try code(Array("[]".utf8)) == .malformedJSON)
        #expect(try code(envelope(), aes(9)) == .cannotOpen)
    }
}
