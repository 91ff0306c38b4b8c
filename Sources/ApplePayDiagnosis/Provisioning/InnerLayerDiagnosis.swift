import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Visa's account data inside a payload (provisioning.md#failures, rows 20 and 21).
struct InnerLayerDiagnosis {
    let file: ProvisioningCase
    let cipher: (any ZoneKeyCipher)?

    func examine(into diagnosis: inout Diagnosis) {
        for payload in file.payloads {
            guard let coded = payload.value.object["encryptedPrimaryAccountNumber"]?.string else { continue }
            // Whose sealed number it is otherwise, nobody published.
            guard DistinctNetwork(spelled: payload.value.object["networkName"]?.string ?? "Visa") == .visa else { continue }
            var text: String
            if let bytes = try? StrictBase64.decode(coded) {
                text = String(decoding: bytes, as: UTF8.self)
                if let inner = try? StrictBase64.decode(text), inner.starts(with: Array("MBPA".utf8)) {
                    EnvelopeDiagnosis.reportText(
                        "encryptedPrimaryAccountNumber", alphabet: "base64", letters: bytes.count, bytes: inner.count, in: payload.name,
                        into: &diagnosis)
                    text = String(decoding: inner, as: UTF8.self)
                }
            } else {
                text = coded
                if VisaTextReading.isPublished(coded) || !coded.contains("-") {
                    diagnosis.report(
                        "inner-not-base64", in: payload.name, cause: "encryptedPrimaryAccountNumber is not base64 of the text.",
                        evidence: ["begins with": String(coded.prefix(5)), "letters": String(coded.utf8.count)],
                        mend: "Encode the ASCII text MBPAD-… in base64.")
                    guard coded.contains("-") else { continue }
                }
            }
            guard let clear = VisaTextReading(file: file, cipher: cipher).read(text, due: .account, payload.name, into: &diagnosis) else {
                continue
            }
            do throws(ApplePayError) {
                let block = try VisaAccountBlock(clearText: clear)
                compare(block, payload, into: &diagnosis)
            } catch {
                VisaTextReading.reportBlock(error, payload.name, into: &diagnosis)
            }
        }
    }

    private func compare(
        _ block: VisaAccountBlock, _ payload: ProvisioningCase.Named<ProvisioningCase.Payload>, into diagnosis: inout Diagnosis
    ) {
        let prefix = payload.value.object["primaryAccountNumberPrefix"]?.string ?? ""
        let suffix = file.configurations.count == 1 ? file.configurations[0].value["primaryAccountSuffix"]?.string ?? "" : ""
        if !prefix.isEmpty, block.primaryAccountNumber.prefix(prefix.utf8.count) != prefix {
            diagnosis.report(
                "inner-mismatch", in: payload.name, cause: "The sealed card number is not the one whose first digits stand in clear.",
                evidence: ["primaryAccountNumberPrefix": prefix, "sealed number": block.primaryAccountNumber.masked],
                mend: "Build both members from one card.")
        } else if !suffix.isEmpty, !block.primaryAccountNumber.ends(with: suffix) {
            diagnosis.report(
                "configuration-mismatch", in: payload.name, cause: "The sheet was configured for another card than the payload's.",
                evidence: [
                    "member": "primaryAccountSuffix", file.configurations[0].name: suffix, "payload": block.primaryAccountNumber.suffix,
                ],
                mend: "Build configuration and payload from one card.")
        }
    }
}

/// Reads `MBPAD-…` and `MBPAC-…` as far as the zone keys at hand allow.
struct VisaTextReading {
    let file: ProvisioningCase
    let cipher: (any ZoneKeyCipher)?

    func read(_ text: String, due: VisaWireText.Kind, _ name: String, into diagnosis: inout Diagnosis) -> SecretBytes? {
        guard Self.isPublished(text) else {
            Self.noteUnknown(text, due: due, file: file, in: name, into: &diagnosis)
            return nil
        }
        let wire: VisaWireText
        do throws(ApplePayError) {
            wire = try VisaWireText(text, due: due)
        } catch {
            if error.code == .visaTextType {
                reportSwapped(String(text.prefix(5)), due: due, in: name, into: &diagnosis)
            } else {
                diagnosis.report(
                    "inner-text", in: name, cause: "Visa's text has not the form of seven fields with whole blocks of hexadecimal data.",
                    evidence: ["rule": error.code.description, "reason": error.reason],
                    mend: "Write MBPAD-1-FK-<key set>--TDEA-<upper-case hexadecimal, a multiple of 16 digits>.")
            }
            return nil
        }
        guard let cipher, !file.zoneKeys.isEmpty else {
            let part = due == .account ? "the card's number" : "the nonce"
            diagnosis.note(
                "not-opened", in: name, "\(part) in Visa's text was not opened: there is no zone key",
                unjudged: .init(
                    "\(part) that Visa's text seals",
                    need: "the zone key of set \(wire.keySet.id.prefix(40)), as JSON with keySet and key in hexadecimal"))
            return nil
        }
        let named = file.zoneKeys.filter { $0.value.id == wire.keySet.id }
        for key in named {
            guard let block = cipher.decrypt(wire.data, key: key.value.key) else { continue }
            if let clear = try? VisaBlock.clearText(block), Self.isKnown(clear) {
                return checked(clear, due: due, in: name, into: &diagnosis)
            }
        }
        for other in file.zoneKeys where other.value.id != wire.keySet.id {
            guard let block = cipher.decrypt(wire.data, key: other.value.key), let clear = try? VisaBlock.clearText(block) else { continue }
            diagnosis.report(
                "inner-key-set", in: name, cause: "The text names another key set than the one it was encrypted under.",
                evidence: ["named": wire.keySet.id, "opens under": other.value.id], mend: "Write the id of the key set that is used.")
            return checked(clear, due: due, in: name, into: &diagnosis)
        }
        if named.isEmpty {
            diagnosis.report(
                "inner-key-set", severity: .warning, in: name,
                cause: "The text names a key set that is not among those at hand, and opens under none of them.",
                evidence: ["named": wire.keySet.id, "held": file.zoneKeys.map(\.value.id).joined(separator: ", ")],
                mend: "Write the id under which the zone key was exchanged; if it is that, hand over its key.")
        }
        for key in named {
            guard let block = cipher.decrypt(wire.data, key: key.value.key) else { continue }
            if let mistake = Self.chaining(block, wire.data) {
                diagnosis.report(
                    "inner-chaining", in: name, cause: "The block was encrypted another way: \(mistake).",
                    evidence: ["opens when": mistake, "key set": wire.keySet.id],
                    mend: "Chain the blocks (CBC) from an initial vector of eight zero bytes.")
                continue
            }
            do throws(ApplePayError) {
                return try VisaBlock.clearText(block)
            } catch { Self.reportBlock(error, isForeign: !block.starts(with: [0x20, 0x20]), name, into: &diagnosis) }
        }
        return nil
    }

    /// What is wrong with the chaining, where the key is right: the zero vector's output and the ciphertext tell.
    private static func chaining(_ block: [UInt8], _ data: [UInt8]) -> String? {
        let unchained = zip(block, [UInt8](repeating: 0, count: 8) + data).map { $0 ^ $1 }
        if let clear = try? VisaBlock.clearText(unchained), isKnown(clear) { return "each block was encrypted by itself" }
        return isKnown(SecretBytes(Array(block.dropFirst(8)))) && !block.starts(with: [0x20, 0x20])
            ? "the initial vector is not zero" : nil
    }

    /// How the clear text of either type begins.
    private static func isKnown(_ clear: SecretBytes) -> Bool {
        clear.withUnsafeBytes { bytes in ["pan=", "nonce="].contains { bytes.starts(with: Array($0.utf8)) } }
    }

    /// The right block under the wrong name is a swap too.
    private func checked(
        _ clear: SecretBytes, due: VisaWireText.Kind, in name: String, into diagnosis: inout Diagnosis
    ) -> SecretBytes? {
        let other = due == .account ? "nonce=" : "pan="
        guard clear.withUnsafeBytes({ $0.starts(with: Array(other.utf8)) }) else { return clear }
        reportSwapped("\(due.rawValue) over \(other)…", due: due, in: name, into: &diagnosis)
        return nil
    }

    private func reportSwapped(_ found: String, due: VisaWireText.Kind, in name: String, into diagnosis: inout Diagnosis) {
        diagnosis.report(
            "inner-type-swapped", in: name, cause: "Account and activation data have changed places.",
            evidence: ["found": found, "due": due.rawValue],
            mend: "MBPAD goes into encryptedPrimaryAccountNumber, MBPAC into activationData.")
    }

    /// Whether the text is meant to be of the form that is known: MBPAD or MBPAC in version 1, by zone key and triple DES
    /// (provisioning.md#visa-text).
    static func isPublished(_ text: String) -> Bool {
        let fields = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            .split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ["MBPAD", "MBPAC"].contains(fields[0]) else { return false }
        return fields.count != 7 || (fields[1] == "1" && fields[2] == "FK" && fields[5] == "TDEA")
    }

    /// A form that nobody published may be sound: Visa's newer names are only noted, and so is all of a network that publishes nothing.
    static func noteUnknown(
        _ text: String, due: VisaWireText.Kind, file: ProvisioningCase, in name: String, into diagnosis: inout Diagnosis
    ) {
        let member = due == .account ? "encryptedPrimaryAccountNumber" : "activationData"
        let head = text.prefix { $0 != "-" }
        let isNewer = head == "MPAD" || head == "MPAC"
        let isWord = (1...8).contains(head.count) && head.allSatisfy { $0.isASCII && $0.isLetter }
        let words = isWord ? "begins with \(head)" : "has \(text.utf8.count) letters and no known beginning"
        guard !isNewer, file.publishesForms else {
            let summary = isNewer ? "a newer form of Visa's data" : "a form of this network's own"
            return diagnosis.note("unpublished-form", in: name, "\(member) \(words): \(summary); its details are not published")
        }
        Finding.reportUnknownForm(member, words: words, in: name, into: &diagnosis)
    }

    /// - Parameter isForeign: Nothing of a block is there, as when the key is another.
    static func reportBlock(_ error: ApplePayError, isForeign: Bool = false, _ name: String, into diagnosis: inout Diagnosis) {
        diagnosis.report(
            "inner-block", in: name,
            cause: isForeign
                ? "The zone key at hand decrypts to no block: the key is another, or the layout is."
                : "Visa's block was not laid out as the network reads it.",
            evidence: ["rule": error.code.description, "reason": error.reason],
            mend: (isForeign ? "Compare the check values of both keys. The layout: " : "")
                + "Two spaces, four printable letters, the length in two digits, the text, and exclamation marks to a multiple of 8.")
    }
}

extension Finding {
    /// Says that something was not judged, where a known form was to be expected.
    static func reportUnknownForm(_ member: String, words: String, in name: String, into diagnosis: inout Diagnosis) {
        diagnosis.report(
            "form-unknown", severity: .warning, in: name, cause: "\(member) has a form that is not known here, so it was not judged.",
            evidence: ["member": member, "found": words], mend: "Compare it with the network's own description; it may be sound.")
    }
}
