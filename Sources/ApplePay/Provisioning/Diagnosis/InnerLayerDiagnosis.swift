import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Visa's account data inside a payload (rows 20 and 21).
struct InnerLayerDiagnosis {
    let file: ProvisioningCase
    let cipher: (any ZoneKeyCipher)?

    func examine(into diagnosis: inout Diagnosis) {
        for payload in file.payloads {
            guard let coded = payload.value.object["encryptedPrimaryAccountNumber"]?.string else { continue }
            let text: String
            if let bytes = try? StrictBase64.decode(coded) {
                text = String(decoding: bytes, as: UTF8.self)
            } else {
                diagnosis.report(
                    "inner-not-base64", in: payload.name, "encryptedPrimaryAccountNumber is not base64 of the text.",
                    ["begins with": String(coded.prefix(5)), "letters": String(coded.utf8.count)],
                    mend: "Encode the ASCII text MBPAD-… in base64.")
                text = coded
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
                "inner-mismatch", in: payload.name, "The sealed card number is not the one whose first digits stand in clear.",
                ["primaryAccountNumberPrefix": prefix, "sealed number": block.primaryAccountNumber.masked],
                mend: "Build both members from one card.")
        } else if !suffix.isEmpty, block.primaryAccountNumber.suffix != suffix {
            diagnosis.report(
                "configuration-mismatch", in: payload.name, "The sheet was configured for another card than the payload's.",
                [
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
        let wire: VisaWireText
        do throws(ApplePayError) {
            wire = try VisaWireText(text, due: due)
        } catch {
            if error.code == .visaTextType {
                diagnosis.report(
                    "inner-type-swapped", in: name, "Account and activation data have changed places.",
                    ["found": String(text.prefix(5)), "due": due.rawValue],
                    mend: "MBPAD goes into encryptedPrimaryAccountNumber, MBPAC into activationData.")
            } else {
                diagnosis.report(
                    "inner-text", in: name, "Visa's text has not the form of seven fields with whole blocks of hexadecimal data.",
                    ["rule": error.code.description, "reason": error.reason],
                    mend: "Write MBPAD-1-FK-<key set>--TDEA-<upper-case hexadecimal, a multiple of 16 digits>.")
            }
            return nil
        }
        guard let cipher, !file.zoneKeys.isEmpty else { return nil }
        let named = file.zoneKeys.filter { $0.value.id == wire.keySet.id }
        for key in named {
            guard let block = cipher.decrypt(wire.data, key: key.value.key) else { continue }
            if let clear = try? VisaBlock.clearText(block) { return clear }
        }
        for other in file.zoneKeys where other.value.id != wire.keySet.id {
            guard let block = cipher.decrypt(wire.data, key: other.value.key), let clear = try? VisaBlock.clearText(block) else { continue }
            diagnosis.report(
                "inner-key-set", in: name, "The text names another key set than the one it was encrypted under.",
                ["named": wire.keySet.id, "opens under": other.value.id], mend: "Write the id of the key set that is used.")
            return clear
        }
        if named.isEmpty {
            diagnosis.report(
                "inner-key-set", in: name, "The text names a key set that the network does not hold.",
                ["named": wire.keySet.id, "held": file.zoneKeys.map(\.value.id).joined(separator: ", ")],
                mend: "Write the id under which the zone key was exchanged.")
        }
        for key in named {
            guard let block = cipher.decrypt(wire.data, key: key.value.key) else { continue }
            do throws(ApplePayError) {
                return try VisaBlock.clearText(block)
            } catch { Self.reportBlock(error, name, into: &diagnosis) }
        }
        return nil
    }

    static func reportBlock(_ error: ApplePayError, _ name: String, into diagnosis: inout Diagnosis) {
        diagnosis.report(
            "inner-block", in: name, "Visa's block was not laid out as the network reads it.",
            ["rule": error.code.description, "reason": error.reason],
            mend: "Two spaces, four printable letters, the length in two digits, the text, and exclamation marks to a multiple of 8.")
    }
}
