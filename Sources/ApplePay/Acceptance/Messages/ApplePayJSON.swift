package import BillfoldJSON

/// Reads strict JSON and refuses it in this library's codes: `malformed-json` (for nesting too), `duplicate-key`, `too-large`.
package enum ApplePayJSON {
    package static func read(
        _ bytes: [UInt8], maximumBytes: Int = PaymentToken.byteLimit, maximumDepth: Int = JSONReader.depthLimit
    ) throws(ApplePayError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(bytes, maximumBytes: maximumBytes, maximumDepth: maximumDepth)
        } catch {
            throw ApplePayError(error)
        }
    }

    package static func readObject(
        _ bytes: [UInt8], maximumBytes: Int = PaymentToken.byteLimit, maximumDepth: Int = JSONReader.depthLimit
    ) throws(ApplePayError) -> JSONObject {
        do throws(JSONError) {
            return try JSONReader.readObject(bytes, maximumBytes: maximumBytes, maximumDepth: maximumDepth)
        } catch {
            throw ApplePayError(error)
        }
    }
}

extension ApplePayError {
    init(_ error: JSONError) {
        let code: Code =
            switch error.code {
            case .malformed, .tooDeep: .malformedJSON
            case .duplicateKey: .duplicateKey
            case .tooLarge: .tooLarge
            }
        self.init(code: code, reason: error.reason)
    }
}
