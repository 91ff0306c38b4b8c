import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// Nonce and signature in callbacks and payloads: their bytes, and whether they belong together (provisioning.md#failures, rows 15 to 17).
struct ChallengeDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for callback in file.callbacks {
            examine(callback.value, in: callback.name, encoding: callback.value["encoding"]?.string, into: &diagnosis)
        }
        for payload in file.payloads {
            examine(payload.value.object, in: payload.name, encoding: "hex", into: &diagnosis)
            compare(payload.value.object, payload.name, into: &diagnosis)
        }
    }

    private func examine(_ object: JSONObject, in name: String, encoding: String?, into diagnosis: inout Diagnosis) {
        guard let nonce = object["nonce"]?.string, let signature = object["nonceSignature"]?.string else { return }
        let read = ChallengeText(nonce, encoding: encoding, due: ProvisioningChallenge.nonceCount)
        let readSignature = ChallengeText(signature, encoding: encoding, due: ProvisioningChallenge.nonceSignatureCount)
        if let mistake = read.mistake {
            diagnosis.report(
                "nonce-form", in: name, cause: "The nonce is not the 4 bytes of the callback: \(Self.words(mistake)).",
                evidence: ["nonce": nonce, "bytes": String(read.count), "due": "4", "reading": Self.words(mistake)],
                mend: Self.isDescription(mistake)
                    ? Self.descriptionMend
                    : "Agree on one encoding between app and host, decode it once, and write 8 hexadecimal digits into the payload.")
        }
        guard let mistake = readSignature.mistake else { return }
        // Both values decoded by one wrong rule is one cause.
        if read.mistake != nil, mistake == .hexReadAsBase64 || mistake == .undecodable { return }
        if case .throughUTF8(let lost) = mistake {
            diagnosis.report(
                "signature-through-text", in: name, cause: "The nonce signature passed through UTF-8 text on its way.",
                evidence: [
                    "bytes": String(readSignature.count), "due": "81",
                    "bytes lost": String(lost),
                ],
                mend: "Carry the bytes as base64 or hexadecimal from the app on; never make a string of binary data.")
        } else {
            diagnosis.report(
                "signature-form", in: name, cause: "The nonce signature is not the 81 bytes of the callback: \(Self.words(mistake)).",
                evidence: ["bytes": String(readSignature.count), "due": "81", "reading": Self.words(mistake)],
                mend: Self.isDescription(mistake)
                    ? Self.descriptionMend
                    : "Decode it once by the encoding that app and host agreed on, and write 162 hexadecimal digits into the payload.")
        }
    }

    private static let descriptionMend =
        "Never print Data to send it: use base64EncodedString(), or each byte as two digits. iOS 13 changed what a description says."

    private static func isDescription(_ mistake: ChallengeText.Mistake) -> Bool { if case .description = mistake { true } else { false } }

    private static func words(_ mistake: ChallengeText.Mistake) -> String {
        switch mistake {
        case .hexReadAsBase64: "hexadecimal digits were read as base64"
        case .hexTextAsBytes: "the hexadecimal digits themselves were taken for the bytes"
        case .base64TextAsBytes: "the base64 letters themselves were taken for the bytes"
        case .throughUTF8: "binary went through UTF-8 text"
        case .otherLength: "another length"
        case .undecodable: "no text of the promised encoding"
        case .description(false): "a description of NSData stands in place of the bytes"
        case .description(true): "a description of NSData stands in place of the bytes, shortened, so that they are lost"
        }
    }

    /// A payload's pair against the callbacks: whose nonce and whose signature it carries.
    private func compare(_ object: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        guard !file.callbacks.isEmpty, let challenge = try? PassDataField.challenge(object) else { return }
        let callbacks = file.callbacks.compactMap { callback in
            let encoding = callback.value["encoding"]?.string
            let nonce = ChallengeText(callback.value["nonce"]?.string ?? "", encoding: encoding, due: 4)
            let signature = ChallengeText(callback.value["nonceSignature"]?.string ?? "", encoding: encoding, due: 81)
            return (nonce.mistake ?? signature.mistake) == nil ? (callback.name, nonce.bytes, signature.bytes) : nil
        }
        guard !callbacks.isEmpty, !callbacks.contains(where: { $0.1 == challenge.nonce && $0.2 == challenge.nonceSignature }) else {
            return
        }
        let nonceOf = callbacks.first { $0.1 == challenge.nonce }?.0
        let signatureOf = callbacks.first { $0.2 == challenge.nonceSignature }?.0
        diagnosis.report(
            "challenge-mismatch", in: name,
            cause: nonceOf != nil || signatureOf != nil
                ? "Nonce and signature come from two callbacks: two requests were mixed."
                : "Nonce and signature are no callback's: a stale session.",
            evidence: [
                "payload nonce": challenge.nonceText,
                "callback nonce": callbacks.map { $0.1.map { Hexadecimal.encode($0) } ?? "" }.joined(separator: ", "),
                "nonce of": nonceOf ?? "none", "signature of": signatureOf ?? "none",
            ],
            mend: "Keep the callback's values with the request that they came with, and build each payload from its own.")
    }
}
