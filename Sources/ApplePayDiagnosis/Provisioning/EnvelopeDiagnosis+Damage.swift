import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// What happened to a request's parts before or after they were sealed.
extension EnvelopeDiagnosis {
    /// Digits where base64 is due, beside a key in base64: a host's hexadecimal text that the app decoded as base64. Encoded again for
    /// this file,
    /// it is digits alone, which base64 of a cipher's output never is.
    func reportDigits(_ dataText: String, beside keyText: String, in name: String, into diagnosis: inout Diagnosis) -> Bool {
        guard CarriedBytes.isHexadecimal(dataText), !CarriedBytes.isHexadecimal(keyText), (try? StrictBase64.decode(keyText)) != nil else {
            return false
        }
        diagnosis.report(
            "hex-read-as-base64", in: name,
            cause: "The hexadecimal digits of encryptedPassData were decoded as base64: encoded again they are digits alone.",
            evidence: [
                "member": "encryptedPassData", "bytes that the app got": String(dataText.utf8.count / 4 * 3),
                "bytes that were sealed": String(dataText.utf8.count / 2),
            ],
            mend:
                "Decode by the encoding that the host names for this network: hexadecimal digits two to a byte, base64 four letters to three."
        )
        return true
    }

    /// The nonce is fixed, so a key that is used twice gives both payloads away (NIST SP 800-38D, section 8).
    func reportRepeatedKeys(into diagnosis: inout Diagnosis) {
        var first: [[UInt8]: (name: String, data: String)] = [:]
        for request in file.requests {
            guard let text = request.value["ephemeralPublicKey"]?.string, let data = request.value["encryptedPassData"]?.string,
                let bytes = CarriedBytes.decode(text) ?? CarriedBytes.repaired(text)?.bytes,
                let point = EphemeralKeyForm(bytes).point
            else { continue }
            guard let earlier = first[point] else {
                first[point] = (request.name, data)
                continue
            }
            // One request in two files is one.
            guard !earlier.data.utf8.elementsEqual(data.utf8) else { continue }
            diagnosis.report(
                "ephemeral-key-repeated", in: request.name,
                cause: "Two requests were sealed with one ephemeral key: under the fixed nonce each gives the other's card data away.",
                evidence: ["first in": earlier.name, "then in": request.name, "ephemeralPublicKey": Hexadecimal.encode(point)],
                mend: "Make a new key pair for each request and forget it at once. Take what was sealed so for disclosed.")
        }
    }

    /// Why opened bytes are no JSON: another character encoding, or a mark in front.
    func reportUnreadablePayload(_ plaintext: [UInt8], in name: String, into diagnosis: inout Diagnosis) {
        func isObject(_ text: String?) -> Bool {
            guard let text else { return false }
            return (try? ApplePayJSON.readObject(Array(text.utf8))) != nil
        }
        let encodings: [(String, String?)] = [
            (
                "UTF-8 behind a byte order mark",
                plaintext.starts(with: [0xEF, 0xBB, 0xBF]) ? String(utf8: Array(plaintext.dropFirst(3))) : nil
            ),
            ("Latin-1 (ISO 8859-1), not UTF-8", String(utf8: plaintext) == nil ? String(bytes: plaintext, encoding: .isoLatin1) : nil),
            ("UTF-16, not UTF-8", String(bytes: plaintext, encoding: .utf16)),
            ("UTF-16, not UTF-8", String(bytes: plaintext, encoding: .utf16LittleEndian)),
        ]
        let found = encodings.first { isObject($0.1) }?.0
        diagnosis.report(
            "payload-invalid", in: name,
            cause: found.map { "The opened payload is no JSON object in UTF-8: its bytes are \($0)." }
                ?? "The opened payload is no JSON object.",
            evidence: ["rule": "malformed-json", "encoding": found ?? "none that is known"],
            mend: found == nil
                ? "Seal the UTF-8 bytes of one JSON object, without a byte order mark."
                : "Name UTF-8 where the text becomes bytes: a letter with an accent is one byte in Latin-1 and two in UTF-8.")
    }
}
