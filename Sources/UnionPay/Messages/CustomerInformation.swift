import Foundation
import PaymentCrypto

/// `customerInfo`: base64 of `{name=value&name=value}`.
package struct CustomerInformation: Sendable, Hashable {
    /// `pin`: the token's `encryptedPINData`, hex, as it is.
    package private(set) var pin: String?
    /// `customerNm`.
    var name: String?

    var isEmpty: Bool { pin == nil && name == nil }

    func encoded(_ encoding: TextEncoding) throws(UnionPayError) -> String {
        var parts: [String] = []
        if let pin {
            guard !pin.isEmpty, pin.utf8.allSatisfy({ PercentEncoding.hexDigit($0) != nil }) else {
                throw UnionPayError(code: .invalidField, reason: "the encrypted PIN is not hex")
            }
            parts.append("pin=" + pin)
        }
        if let name {
            guard !name.contains(where: { "&={}".contains($0) }) else {
                throw UnionPayError(code: .invalidField, reason: "the customer's name holds & = { or }")
            }
            parts.append("customerNm=" + name)
        }
        return Data(try encoding.encode("{" + parts.joined(separator: "&") + "}")).base64EncodedString()
    }

    init(pin: String? = nil, name: String? = nil) {
        self.pin = pin
        self.name = name
    }

    package init(_ text: String, _ encoding: TextEncoding) throws(UnionPayError) {
        guard let data = Data(base64Encoded: text) else {
            throw UnionPayError(code: .invalidField, reason: "customerInfo is not base64")
        }
        let inner = try encoding.decode(Array(data))
        guard inner.hasPrefix("{"), inner.hasSuffix("}") else {
            throw UnionPayError(code: .invalidField, reason: "customerInfo has no braces around it")
        }
        for pair in inner.dropFirst().dropLast().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw UnionPayError(code: .invalidField, reason: "customerInfo holds a pair without =") }
            switch parts[0] {
            case "pin": pin = String(parts[1])
            case "customerNm": name = String(parts[1])
            default: break  // Other products' keys, which an Apple Pay deduct does not use.
            }
        }
    }
}
