import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto

/// What a request carries and whether it opens (rows 9 to 14 and 25).
struct EnvelopeDiagnosis {
    let file: ProvisioningCase

    /// Hands back the payloads that opened.
    func examine(into diagnosis: inout Diagnosis) -> [ProvisioningCase.Named<ProvisioningCase.Payload>] {
        var opened: [ProvisioningCase.Named<ProvisioningCase.Payload>] = []
        for request in file.requests {
            examineFields(request.value, request.name, into: &diagnosis)
            let isOther = examineHash(request.value, request.name, into: &diagnosis)
            guard let plaintext = examineEnvelope(request.value, request.name, isOther: isOther, into: &diagnosis) else { continue }
            if let object = try? JSONReader.readObject(plaintext) {
                opened.append(.init(name: request.name, value: .init(bytes: plaintext, object: object)))
            } else {
                diagnosis.report(
                    "payload-invalid", in: request.name, "The opened payload is no JSON object.", ["rule": "malformed-json"],
                    mend: "Seal the UTF-8 bytes of one JSON object, without a byte order mark.")
            }
        }
        return opened
    }

    /// Row 25, and members that PassKit misses.
    private func examineFields(_ request: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let declared =
            request["encryptionVersion"]?.string ?? request["encryptionScheme"]?.string
            ?? (file.configurations.count == 1 ? file.configurations[0].value["encryptionScheme"]?.string : nil)
        let (point, wrapped) = (!Self.isEmpty(request["ephemeralPublicKey"]), !Self.isEmpty(request["wrappedKey"]))
        if let scheme = declared.flatMap(EncryptionScheme.init) {
            let fits = scheme == .eccV2 ? point && !wrapped : wrapped && !point
            if !fits, point || wrapped {
                diagnosis.report(
                    "scheme-field", in: name, "The request fills the key member of the other encryption scheme.",
                    [
                        "encryptionScheme": scheme.rawValue, "ephemeralPublicKey": point ? "filled" : "empty",
                        "wrappedKey": wrapped ? "filled" : "empty",
                    ],
                    mend: "ECC_V2 takes ephemeralPublicKey, RSA_V2 takes wrappedKey, and never both.")
            }
        }
        let missing = [("encryptedPassData", Self.isEmpty(request["encryptedPassData"])), ("ephemeralPublicKey", !point && !wrapped)]
            .filter(\.1).map(\.0)
        if !missing.isEmpty {
            diagnosis.report(
                "request-incomplete", in: name, "The request lacks what PassKit sends on.", ["missing": missing.joined(separator: ", ")],
                mend: "Fill every member before the completion handler is called.")
        }
        if Self.isEmpty(request["activationData"]) {
            diagnosis.report(
                "activation-data-missing", .warning, in: name, "Without activation data the network asks for verification: yellow.",
                ["activationData": "missing"], mend: "Make it with the network's key where the bank has identified the customer.")
        }
    }

    private static func isEmpty(_ value: JSONValue?) -> Bool { value?.string?.isEmpty ?? true }

    /// Row 13 without opening anything: whose key hash the request names. Says whether the request is for another leaf.
    private func examineHash(_ request: JSONObject, _ name: String, into diagnosis: inout Diagnosis) -> Bool {
        let leaves = ProvisioningChainDiagnosis.leafHashes(file)
        guard let text = request["publicKeyHash"]?.string, let hash = (try? Hexadecimal.decode(text)) ?? (try? StrictBase64.decode(text)),
            !leaves.isEmpty || !file.keys.isEmpty
        else { return false }
        let held = leaves.isEmpty ? file.keys.map { $0.value.publicKey.sha256 } : leaves
        guard !held.contains(hash) else { return false }
        let certificates = file.callbacks.flatMap { $0.value["certificates"]?.array ?? [] }
            .compactMap { $0.string }.compactMap { try? StrictBase64.decode($0) }
        if certificates.contains(where: { Array(SHA256.hash(data: $0)) == hash }) {
            diagnosis.report(
                "public-key-hash-form", in: name, "publicKeyHash is the certificate's hash, not its key's.",
                ["publicKeyHash": Hexadecimal.encode(hash), "SHA-256 of the SubjectPublicKeyInfo": Hexadecimal.encode(held[0])],
                mend: "Hash the leaf's DER SubjectPublicKeyInfo, 91 bytes for P-256.")
            return false
        }
        diagnosis.report(
            "other-leaf", in: name, "The payload was sealed for another leaf than the callback's.",
            ["publicKeyHash": Hexadecimal.encode(hash), "leaf": held.map { Hexadecimal.encode($0) }.joined(separator: ", ")],
            mend: "Seal to the leaf of the same callback; never keep a leaf's key from an earlier one.")
        return true
    }

    private func examineEnvelope(
        _ request: JSONObject, _ name: String, isOther: Bool, into diagnosis: inout Diagnosis
    ) -> [UInt8]? {
        guard let dataText = request["encryptedPassData"]?.string, let keyText = request["ephemeralPublicKey"]?.string, !keyText.isEmpty,
            var data = bytes(dataText, "encryptedPassData", name, into: &diagnosis)
        else { return nil }
        // A key in hexadecimal would be base64 of other bytes: the digits say which it is.
        let isHexadecimal = (try? Hexadecimal.decode(keyText)) != nil
        guard let sent = isHexadecimal ? Array(keyText.utf8) : bytes(keyText, "ephemeralPublicKey", name, into: &diagnosis) else {
            return nil
        }
        let form = EphemeralKeyForm(sent)
        if let mistake = form.mistake { report(mistake, sent, name, into: &diagnosis) }
        if let text = String(validating: data, as: UTF8.self) {
            let undone =
                (try? Hexadecimal.decode(text)).map { ("hexadecimal", $0) } ?? (try? StrictBase64.decode(text)).map { ("base64", $0) }
            if let (alphabet, bytes) = undone {
                Self.reportText("encryptedPassData", alphabet, data.count, bytes.count, name, into: &diagnosis)
                data = bytes
            }
        }
        guard let point = form.point, !isOther else { return nil }
        let identifiers = file.apps.compactMap { $0.value["merchantIdentifier"]?.string }
        let tag = ["tag", "authTag", "authenticationTag"].lazy.compactMap { request[$0]?.string }.first.flatMap {
            try? StrictBase64.decode($0)
        }
        for key in file.keys {
            let opening = EnvelopeOpening(
                key: key.value, point: point, sent: sent, merchantHashes: identifiers.map { MerchantIdentifier.hash($0) }, separateTag: tag)
            guard let found = opening.open(data) else { continue }
            report(found, data, name, into: &diagnosis)
            return found.plaintext
        }
        let named = request["publicKeyHash"]?.string
        if let key = file.keys.first(where: { named == nil || Hexadecimal.encode($0.value.publicKey.sha256) == named?.lowercased() }) {
            diagnosis.report(
                "does-not-open", in: name, "The payload opens under no known way of sealing.",
                ["key": Hexadecimal.encode(key.value.publicKey.sha256), "encryptedPassData, bytes": String(data.count)],
                mend: "Check shared secret, derivation, nonce and tag against a known answer.")
        }
        return nil
    }

    private func bytes(_ text: String, _ member: String, _ name: String, into diagnosis: inout Diagnosis) -> [UInt8]? {
        if let bytes = try? StrictBase64.decode(text) { return bytes }
        if let bytes = try? Hexadecimal.decode(text) { return bytes }
        diagnosis.report(
            "member-unreadable", in: name, "A member of the request is no base64.",
            ["member": member, "letters": String(text.utf8.count)],
            mend: "Use the standard alphabet with padding, and let nothing break the lines.")
        return nil
    }

    private func report(_ mistake: EphemeralKeyForm.Mistake, _ sent: [UInt8], _ name: String, into diagnosis: inout Diagnosis) {
        switch mistake {
        case .form(let words):
            diagnosis.report(
                "ephemeral-key-form", in: name, "The ephemeral key is \(words).",
                ["ephemeral key": words, "bytes": String(sent.count), "due": "65 bytes that begin with 04"],
                mend: "Send the uncompressed point: 04, X and Y of 32 bytes each.")
        case .padding(let words):
            diagnosis.report(
                "ephemeral-key-padding", in: name, "A coordinate of the ephemeral key was not filled up in front.",
                ["coordinate": words, "bytes": String(sent.count)], mend: "Fill X and Y with leading zeros to 32 bytes each.")
        case .text(let alphabet):
            Self.reportText("ephemeralPublicKey", alphabet, sent.count, 65, name, into: &diagnosis)
        }
    }

    static func reportText(
        _ member: String, _ alphabet: String, _ letters: Int, _ bytes: Int, _ name: String, into diagnosis: inout Diagnosis
    ) {
        diagnosis.report(
            "text-in-data", in: name, "\(member) holds \(alphabet) text in the place of the bytes.",
            ["member": member, "alphabet": alphabet, "letters": String(letters), "bytes": String(bytes)],
            mend: "Decode the transport's text once before the value goes into the request.")
    }

    private func report(_ found: EnvelopeOpening.Found, _ data: [UInt8], _ name: String, into diagnosis: inout Diagnosis) {
        if let mistake = found.derivation {
            diagnosis.report(
                "key-derivation", in: name, "The key was derived another way: \(mistake).", ["opens when": mistake],
                mend: "Hash 00000001, Z, 0d, id-aes256-GCM, Apple and the 65 bytes of the ephemeral key.")
        }
        if found.nonceLength != 12 {
            diagnosis.report(
                "nonce-of-16", in: name, "The cipher's nonce has sixteen bytes, not twelve.",
                ["nonce, zero bytes": String(found.nonceLength), "due": "12"],
                mend: "Use twelve zero bytes; a merchant's token has sixteen.")
        }
        if found.tag != .end {
            diagnosis.report(
                "tag-place", in: name, "The authentication tag is \(found.tag.rawValue).",
                [
                    "tag": found.tag.rawValue, "encryptedPassData, bytes": String(data.count),
                    "plaintext, bytes": String(found.plaintext.count),
                ],
                mend: "Append the 16-byte tag to the ciphertext.")
        }
    }
}
