import BillfoldJSON
import PaymentCrypto

/// Reads the text forms of token and payload members, naming the member and never its value in a refusal.
enum TokenField {
    static func text(
        _ object: JSONObject, _ key: String, code: ApplePayError.Code = .malformedToken
    ) throws(ApplePayError) -> String {
        guard let value = object[key] else { throw ApplePayError(code: code, reason: "\(key) is missing") }
        guard let text = value.string else { throw ApplePayError(code: code, reason: "\(key) is not text") }
        return text
    }

    /// Strict base64: standard alphabet, padded, no white space, unused bits zero.
    static func base64(
        _ text: String, _ name: String, code: ApplePayError.Code = .malformedToken
    ) throws(ApplePayError) -> [UInt8] {
        do throws(PaymentCryptoError) {
            return try StrictBase64.decode(text)
        } catch {
            throw ApplePayError(code: code, reason: "\(name) is not strict base64: \(error.reason)")
        }
    }

    static func hex(
        _ text: String, _ name: String, count: Int? = nil, code: ApplePayError.Code = .malformedToken
    ) throws(ApplePayError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(PaymentCryptoError) {
            bytes = try Hexadecimal.decode(text)
        } catch {
            throw ApplePayError(code: code, reason: "\(name) is not hexadecimal: \(error.reason)")
        }
        if let count, bytes.count != count {
            throw ApplePayError(code: code, reason: "\(name) holds \(bytes.count) bytes instead of \(count)")
        }
        return bytes
    }
}
