import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Crypto
import Foundation
import PaymentCrypto

/// What a request carries and whether it opens (provisioning.md#failures, rows 9 to 14 and 25).
struct EnvelopeDiagnosis {
    let file: ProvisioningCase

    /// Whose key a request was sealed to, as far as hash and certificates tell.
    private struct Recipient {
        /// Hashes of the key that may open it; empty when neither leaf nor hash says.
        var hashes: [[UInt8]]
        /// The request names another leaf than the callback's.
        var isOther = false
    }

    /// Hands back the payloads that opened.
    func examine(into diagnosis: inout Diagnosis) -> [ProvisioningCase.Named<ProvisioningCase.Payload>] {
        var opened: [ProvisioningCase.Named<ProvisioningCase.Payload>] = []
        for request in file.requests {
            examineFields(request.value, request.name, into: &diagnosis)
            let recipient = examineHash(request.value, request.name, into: &diagnosis)
            let plaintext =
                Self.isEmpty(request.value["ephemeralPublicKey"])
                ? examineWrapped(request.value, in: request.name, for: recipient, into: &diagnosis)
                : examineEnvelope(request.value, in: request.name, for: recipient, into: &diagnosis)
            guard let plaintext else { continue }
            if let object = try? ApplePayJSON.readObject(plaintext) {
                opened.append(.init(name: request.name, value: .init(bytes: plaintext, object: object)))
            } else {
                reportUnreadablePayload(plaintext, in: request.name, into: &diagnosis)
            }
        }
        reportRepeatedKeys(into: &diagnosis)
        return opened
    }

    /// Row 25 (provisioning.md#failures), and members that PassKit misses.
    private func examineFields(_ request: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let declared =
            request["encryptionVersion"]?.string ?? request["encryptionScheme"]?.string
            ?? (file.configurations.count == 1 ? file.configurations[0].value["encryptionScheme"]?.string : nil)
        let (point, wrapped) = (!Self.isEmpty(request["ephemeralPublicKey"]), !Self.isEmpty(request["wrappedKey"]))
        let scheme = declared.flatMap(EncryptionScheme.init(spelled:))
        let fits = scheme.map { $0 == .eccV2 ? point && !wrapped : wrapped && !point } ?? !(point && wrapped)
        if !fits, point || wrapped {
            diagnosis.report(
                "scheme-field", in: name, cause: "The request fills the key member of the other encryption scheme.",
                evidence: [
                    "encryptionScheme": scheme?.rawValue ?? "not named", "ephemeralPublicKey": point ? "filled" : "empty",
                    "wrappedKey": wrapped ? "filled" : "empty",
                ],
                mend: "ECC_V2 takes ephemeralPublicKey, RSA_V2 takes wrappedKey, and never both.")
        }
        let missing = [
            ("encryptedPassData", Self.isEmpty(request["encryptedPassData"])),
            (scheme == .rsaV2 ? "wrappedKey" : "ephemeralPublicKey", !point && !wrapped),
        ].filter(\.1).map(\.0)
        if !missing.isEmpty {
            diagnosis.report(
                "request-incomplete", in: name, cause: "The request lacks what PassKit sends on.",
                evidence: ["missing": missing.joined(separator: ", ")],
                mend: "Fill every member before the completion handler is called.")
        }
        if Self.isEmpty(request["activationData"]), file.activations.isEmpty {
            diagnosis.report(
                "activation-data-missing", severity: .warning, in: name,
                cause: "Without activation data the network asks for verification: yellow.",
                evidence: ["activationData": "missing"], mend: "Make it with the network's key where the bank has identified the customer.")
        }
    }

    private static func isEmpty(_ value: JSONValue?) -> Bool { value?.string?.isEmpty ?? true }

    // MARK: The leaf

    /// Row 13 (provisioning.md#failures) without opening anything: whose key hash the request names.
    private func examineHash(_ request: JSONObject, _ name: String, into diagnosis: inout Diagnosis) -> Recipient {
        let leaves = ProvisioningChainDiagnosis.leaves(file).map(\.publicKeyHash)
        guard let text = request["publicKeyHash"]?.string, !text.isEmpty else { return Recipient(hashes: leaves) }
        guard let hash = (try? Hexadecimal.decode(text)) ?? (try? StrictBase64.decode(text)), hash.count == SHA256.byteCount else {
            report(
                "public-key-hash-form", cause: "publicKeyHash is no SHA-256.", hash: nil, of: "\(text.utf8.count) letters", due: leaves,
                in: name, into: &diagnosis)
            return Recipient(hashes: leaves)
        }
        if leaves.contains(hash) { return Recipient(hashes: [hash]) }
        if let mistake = Self.mistaken(hash, file) {
            report(mistake.code, cause: mistake.cause, hash: hash, of: mistake.hashed, due: [mistake.due], in: name, into: &diagnosis)
            return Recipient(hashes: leaves.isEmpty ? [mistake.due] : leaves)
        }
        // Without a certificate the hash is all that is known of the leaf.
        guard !leaves.isEmpty else { return Recipient(hashes: [hash]) }
        reportOtherLeaf(["publicKeyHash": Hexadecimal.encode(hash), "leaf": Self.text(leaves)], name, into: &diagnosis)
        return Recipient(hashes: [hash], isOther: true)
    }

    private struct HashMistake {
        var code: String
        var cause: String
        var hashed: String
        /// What should have been given.
        var due: [UInt8]
    }

    /// What was hashed in the place of a leaf's SubjectPublicKeyInfo.
    private static func mistaken(_ hash: [UInt8], _ file: ProvisioningCase) -> HashMistake? {
        func isHash(_ bytes: some Sequence<UInt8>) -> Bool { Array(SHA256.hash(data: Array(bytes))) == hash }
        let leaves = ProvisioningChainDiagnosis.leaves(file)
        let keys = leaves.compactMap { try? $0.publicKey } + file.keys.map(\.value.publicKey)
        for key in keys {
            guard let point = key.x963 else { continue }
            for (bytes, words) in [(point, "the bare point of 65 bytes"), (Array(point.dropFirst()), "X and Y, 64 bytes")]
            where isHash(bytes) {
                return HashMistake(
                    code: "public-key-hash-of-point", cause: "publicKeyHash was made over the bare point.", hashed: words, due: key.sha256)
            }
        }
        for leaf in leaves {
            for (bytes, words) in [
                (leaf.der, "the whole certificate"), (Array(StrictBase64.encode(leaf.der).utf8), "the certificate's base64 text"),
                (Array(leaf.pem.utf8), "the certificate's PEM text"),
            ] where isHash(bytes) {
                return HashMistake(
                    code: "public-key-hash-of-certificate", cause: "publicKeyHash was made over the whole certificate.", hashed: words,
                    due: leaf.publicKeyHash)
            }
            for other in ProvisioningChainDiagnosis.certificates(file) where other != leaf && other.publicKeyHash == hash {
                return HashMistake(
                    code: "public-key-hash-form", cause: "publicKeyHash is another certificate's than the leaf's.",
                    hashed: other.subject.commonName ?? "a certificate without a name", due: leaf.publicKeyHash)
            }
        }
        return nil
    }

    private func report(
        _ code: String, cause: String, hash: [UInt8]?, of hashed: String, due: [[UInt8]], in name: String,
        into diagnosis: inout Diagnosis
    ) {
        diagnosis.report(
            code, in: name, cause: cause,
            evidence: [
                "publicKeyHash": hash.map { Hexadecimal.encode($0) } ?? "unreadable", "made over": hashed,
                "SHA-256 of the SubjectPublicKeyInfo": due.isEmpty ? "unknown" : Self.text(due),
            ],
            mend: "Hash the leaf's DER SubjectPublicKeyInfo, 91 bytes for P-256, and write 64 hexadecimal digits.")
    }

    private func reportOtherLeaf(_ evidence: KeyValuePairs<String, String>, _ name: String, into diagnosis: inout Diagnosis) {
        diagnosis.report(
            "other-leaf", in: name, cause: "The payload was sealed for another leaf than the callback's.", evidence: evidence,
            mend: "Seal to the leaf of the same callback; never keep a leaf's key from an earlier one.")
    }

    private static func text(_ hashes: [[UInt8]]) -> String { hashes.map { Hexadecimal.encode($0) }.joined(separator: ", ") }

    /// A payload that opened under a key which is no leaf's of the callback.
    private func compare(_ key: [UInt8], with recipient: Recipient, in name: String, into diagnosis: inout Diagnosis) {
        guard !recipient.hashes.isEmpty, !recipient.hashes.contains(key) else { return }
        reportOtherLeaf(["opens with": Hexadecimal.encode(key), "leaf": Self.text(recipient.hashes)], name, into: &diagnosis)
    }

    // MARK: ECC_V2

    private func examineEnvelope(
        _ request: JSONObject, in name: String, for recipient: Recipient, into diagnosis: inout Diagnosis
    ) -> [UInt8]? {
        guard let dataText = request["encryptedPassData"]?.string, !dataText.isEmpty,
            let keyText = request["ephemeralPublicKey"]?.string,
            let data = data(dataText, of: "encryptedPassData", in: name, into: &diagnosis)
        else { return nil }
        let isTakenForBase64 = reportDigits(dataText, beside: keyText, in: name, into: &diagnosis)
        // A key in hexadecimal beside data in base64 was not decoded on its way: its digits are what was sent.
        let isLetters = CarriedBytes.isHexadecimal(keyText) && !CarriedBytes.isHexadecimal(dataText)
        guard let sent = isLetters ? Array(keyText.utf8) : bytes(keyText, of: "ephemeralPublicKey", in: name, into: &diagnosis) else {
            return nil
        }
        let form = EphemeralKeyForm(sent)
        if let mistake = form.mistake { report(mistake, sent: sent, in: name, into: &diagnosis) }
        guard let point = form.point else { return nil }
        let identifiers = file.apps.compactMap { $0.value["merchantIdentifier"]?.string }
        let tag = ["tag", "authTag", "authenticationTag"].lazy.compactMap { request[$0]?.string }.first.flatMap(CarriedBytes.decode)
        for key in file.keys where !DiagnosisBudget.current.isOver {
            let opening = EnvelopeOpening(
                key: key.value, point: point, sent: sent, merchantHashes: identifiers.map { MerchantIdentifier.hash($0) }, separateTag: tag)
            // Digits were filled up to whole groups of four letters.
            guard let found = opening.open(data) ?? (isTakenForBase64 ? opening.open(data.dropLast()) : nil) else { continue }
            if !recipient.isOther { compare(key.value.publicKey.sha256, with: recipient, in: name, into: &diagnosis) }
            report(found, of: data, in: name, into: &diagnosis)
            return found.plaintext
        }
        guard !recipient.isOther, !isTakenForBase64 else { return nil }
        let held = file.keys.filter { recipient.hashes.contains($0.value.publicKey.sha256) }
        if let key = held.first {
            diagnosis.report(
                "does-not-open", in: name, cause: "The payload opens under no known way of sealing.",
                evidence: ["key": Hexadecimal.encode(key.value.publicKey.sha256), "encryptedPassData, bytes": String(data.count)],
                mend: "Check shared secret, derivation, nonce and tag against a known answer.")
        } else if !file.keys.isEmpty {
            diagnosis.report(
                "key-not-of-leaf", severity: .warning, in: name,
                cause: recipient.hashes.isEmpty
                    ? "No key at hand opens the payload, and nothing says which leaf it was sealed to."
                    : "The private key is not this leaf's, so the payload stayed closed.",
                evidence: [
                    "leaf": recipient.hashes.isEmpty ? "unknown" : Self.text(recipient.hashes),
                    "keys tried": file.keys.map { "\($0.name) \(Hexadecimal.encode($0.value.publicKey.sha256))" }.joined(separator: ", "),
                ],
                mend: "Hand over the private key of the very leaf, and the callback with its certificates.")
        } else {
            noteUnopened("P-256", in: name, into: &diagnosis)
        }
        return nil
    }

    // MARK: RSA_V2

    /// Opens by the parameters that are inferred (provisioning.md#rsa_v2). What they do not open may be sound all the same.
    private func examineWrapped(
        _ request: JSONObject, in name: String, for recipient: Recipient, into diagnosis: inout Diagnosis
    ) -> [UInt8]? {
        guard let dataText = request["encryptedPassData"]?.string, !dataText.isEmpty, let keyText = request["wrappedKey"]?.string,
            !keyText.isEmpty, let data = data(dataText, of: "encryptedPassData", in: name, into: &diagnosis),
            let wrapped = self.data(keyText, of: "wrappedKey", in: name, into: &diagnosis)
        else { return nil }
        for key in file.rsaKeys {
            for parameters in RSAPassDataParameters.inferred {
                let opener = RSAPassDataOpener(key: key.value, parameters: parameters)
                guard let opened = try? opener.open(encryptedPassData: data, wrappedKey: wrapped) else { continue }
                if !recipient.isOther { compare(key.value.publicKey.sha256, with: recipient, in: name, into: &diagnosis) }
                diagnosis.note(
                    "unconfirmed", in: name,
                    "opened by RSA_V2 as it is inferred, an AES key of \(parameters.keyLength * 8) bits and a nonce of "
                        + "\(parameters.nonceLength) bytes; the scheme is not published")
                return opened.reveal()
            }
        }
        if file.rsaKeys.contains(where: { recipient.hashes.contains($0.value.publicKey.sha256) }) {
            diagnosis.report(
                "does-not-open", severity: .warning, in: name,
                cause: "The payload opens under none of the ways that are inferred for RSA_V2.",
                evidence: ["wrappedKey, bytes": String(wrapped.count), "encryptedPassData, bytes": String(data.count)],
                mend: "Neither key wrapping nor cipher is published: compare with what Apple gave the bank.")
        }
        if file.rsaKeys.isEmpty { noteUnopened("RSA", in: name, into: &diagnosis) }
        return nil
    }

    /// What nobody has opened must not read as good.
    private func noteUnopened(_ kind: String, in name: String, into diagnosis: inout Diagnosis) {
        diagnosis.note(
            "not-opened", in: name,
            "its payload was not opened: there is no \(kind) private key; hand over the leaf's, and the callback with its certificates",
            unjudged: .init(
                "its payload, and the card inside",
                need: "the leaf's \(kind) private key as PEM, and the callback's challenge with its certificates; or the payload in clear"))
    }

    // MARK: Members

    /// A member's bytes, and once more when they are letters themselves (provisioning.md#failures, row 14).
    private func data(_ text: String, of member: String, in name: String, into diagnosis: inout Diagnosis) -> [UInt8]? {
        guard let data = bytes(text, of: member, in: name, into: &diagnosis) else { return nil }
        guard let letters = String(utf8: data),
            let (alphabet, inner) = (try? Hexadecimal.decode(letters)).map({ ("hexadecimal", $0) })
                ?? (try? StrictBase64.decode(letters)).map({ ("base64", $0) })
        else { return data }
        Self.reportText(member, alphabet: alphabet, letters: data.count, bytes: inner.count, in: name, into: &diagnosis)
        return inner
    }

    private func bytes(_ text: String, of member: String, in name: String, into diagnosis: inout Diagnosis) -> [UInt8]? {
        CarriedBytes.decode(text) ?? Self.reportUnreadable(member, text: text, in: name, into: &diagnosis)
    }

    /// Hands back the bytes where what happened to the text can be undone.
    static func reportUnreadable(_ member: String, text: String, in name: String, into diagnosis: inout Diagnosis) -> [UInt8]? {
        let repaired = CarriedBytes.repaired(text)
        let isForm = repaired?.damage.contains("form encoding") ?? false
        diagnosis.report(
            "member-unreadable", in: name, cause: "A member of the request is neither base64 nor hexadecimal.",
            evidence: ["member": member, "letters": String(text.utf8.count), "reading": repaired?.damage ?? "no known damage"],
            mend: isForm
                ? "Send it as JSON, or percent-encode each + as %2B in a form: a form's decoder makes a blank of +."
                : "Use the standard alphabet with padding, and let nothing break the lines.")
        return repaired?.bytes
    }

    private func report(_ mistake: EphemeralKeyForm.Mistake, sent: [UInt8], in name: String, into diagnosis: inout Diagnosis) {
        switch mistake {
        case .form(let words):
            diagnosis.report(
                "ephemeral-key-form", in: name, cause: "The ephemeral key is \(words).",
                evidence: ["ephemeral key": words, "bytes": String(sent.count), "due": "65 bytes that begin with 04"],
                mend: "Send the uncompressed point: 04, X and Y of 32 bytes each.")
        case .padding(let words):
            diagnosis.report(
                "ephemeral-key-padding", in: name, cause: "A coordinate of the ephemeral key was not filled up in front.",
                evidence: ["coordinate": words, "bytes": String(sent.count)], mend: "Fill X and Y with leading zeros to 32 bytes each.")
        case .text(let alphabet):
            Self.reportText("ephemeralPublicKey", alphabet: alphabet, letters: sent.count, bytes: 65, in: name, into: &diagnosis)
        }
    }

    static func reportText(
        _ member: String, alphabet: String, letters: Int, bytes: Int, in name: String, into diagnosis: inout Diagnosis
    ) {
        diagnosis.report(
            "text-in-data", in: name, cause: "\(member) holds \(alphabet) text in the place of the bytes.",
            evidence: ["member": member, "alphabet": alphabet, "letters": String(letters), "bytes": String(bytes)],
            mend: "Decode the transport's text once before the value goes into the request.")
    }

    private func report(_ found: EnvelopeOpening.Found, of data: [UInt8], in name: String, into diagnosis: inout Diagnosis) {
        if let mistake = found.derivation {
            diagnosis.report(
                "key-derivation", in: name, cause: "The key was derived another way: \(mistake).", evidence: ["opens when": mistake],
                mend: "Hash 00000001, Z, 0d, id-aes256-GCM, Apple and the 65 bytes of the ephemeral key.")
        }
        switch found.nonce {
        case .due: break
        case .sixteenZeros:
            diagnosis.report(
                "nonce-of-16", in: name, cause: "The cipher's nonce has sixteen bytes, not twelve.",
                evidence: ["nonce, zero bytes": "16", "due": "12"], mend: "Use twelve zero bytes; a merchant's token has sixteen.")
        case .inFront(let count):
            diagnosis.report(
                "nonce-in-front", in: name, cause: "The cipher's nonce was drawn and stands before the ciphertext.",
                evidence: ["nonce, bytes in front": String(count), "due": "12 zero bytes, which are not sent"],
                mend: "Use twelve zero bytes and send the ciphertext and its tag alone.")
        }
        if found.tag != .end {
            diagnosis.report(
                "tag-place", in: name, cause: "The authentication tag is \(found.tag.rawValue).",
                evidence: [
                    "tag": found.tag.rawValue, "encryptedPassData, bytes": String(data.count),
                    "plaintext, bytes": String(found.plaintext.count),
                ],
                mend: "Append the 16-byte tag to the ciphertext.")
        }
    }
}

extension RSAPassDataParameters {
    /// Everything that provisioning.md#rsa_v2 leaves open. [I]
    static let inferred = [(16, 16), (16, 12), (32, 16), (32, 12)].map { Self(keyLength: $0.0, nonceLength: $0.1) }
}

extension EncryptionScheme {
    /// By PassKit's value or by the name of its constant.
    init?(spelled text: String) {
        switch text {
        case "ECC_V2", "PKEncryptionSchemeECC_V2": self = .eccV2
        case "RSA_V2", "PKEncryptionSchemeRSA_V2": self = .rsaV2
        default: self.init(rawValue: text)
        }
    }
}
