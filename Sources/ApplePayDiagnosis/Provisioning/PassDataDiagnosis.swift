import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Payloads by the rules of their JSON, and against the configuration of the same attempt
/// (provisioning.md#failures, rows 18 and 19).
struct PassDataDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for payload in file.payloads {
            let object = payload.value.object
            let form = PayloadForm(object)
            note(form, payload.name, into: &diagnosis)
            let faults = Self.faults(object, form)
            for (rule, found) in faults {
                diagnosis.report(
                    "payload-invalid", in: payload.name,
                    cause: "The payload breaks a rule of its form, which networks call an invalid card.",
                    evidence: ["rule": rule, "found": found],
                    mend: "Write the members as the network's payment data configuration has them.")
            }
            // One wrong member was named; the strict reader would only name it again.
            if faults.isEmpty, form == .fpan || form == .encryptedFPAN { readStrictly(payload, into: &diagnosis) }
            measureName(object, form: form, in: payload.name, into: &diagnosis)
            compareBINs(object, payload.name, into: &diagnosis)
            if file.configurations.count == 1 { compare(object, in: payload.name, with: file.configurations[0], into: &diagnosis) }
        }
    }

    private func note(_ form: PayloadForm, _ name: String, into diagnosis: inout Diagnosis) {
        switch form {
        case .fpan, .encryptedFPAN: break
        case .mastercardEncrypted:
            diagnosis.note(
                "unpublished-form", in: name, "Mastercard's payload with the number sealed; its list of members is not published")
        case .unknown(let members):
            let named = members.map { $0.prefix(40) }.joined(separator: ", ")
            let words = members.isEmpty ? "members of several configurations" : "members that no published configuration has: \(named)"
            guard file.publishesForms else {
                return diagnosis.note("unpublished-form", in: name, "payload of a form of this network's own, \(words)")
            }
            Finding.reportUnknownForm("the payload", words: words, in: name, into: &diagnosis)
        }
    }

    /// What is wrong in any configuration. Sealed values follow rules of their own.
    private static func faults(_ object: JSONObject, _ form: PayloadForm) -> [(String, String)] {
        var faults: [(String, String)] = []
        let isClear = form == .fpan || PayloadForm.clearDigits(object) != nil
        guard isClear else { return [] }
        if let number = object["primaryAccountNumber"]?.string {
            if number.utf8.contains(where: { $0 == 0x20 || $0 == 0x2D }) {
                faults.append(("card-number-form", "spaces or hyphens between the digits"))
            } else if let read = try? CardNumber(number) {
                if !read.passesLuhn { faults.append(("card-number-check-digit", "the check digit of \(read.masked) does not fit")) }
            } else {
                faults.append(("card-number-form", "\(number.utf8.count) letters, not 13 to 19 digits"))
            }
        }
        if let expiration = object["expiration"]?.string, (try? CardExpiration(slashed: expiration)) == nil {
            let isCompact = (try? CardExpiration(compact: expiration)) != nil
            faults.append(("expiration-form", isCompact ? "the slash is missing" : "\(expiration.utf8.count) letters that are not MM/YY"))
        }
        return faults
    }

    private func readStrictly(_ payload: ProvisioningCase.Named<ProvisioningCase.Payload>, into diagnosis: inout Diagnosis) {
        do throws(ApplePayError) {
            _ = try PassData(json: SecretBytes(payload.value.bytes))
        } catch {
            // The challenge has a part of its own, and so has the inner layer's text.
            guard ![.nonceLength, .nonceSignatureLength, .challengeEncoding].contains(error.code),
                !error.reason.hasPrefix("encryptedPrimaryAccountNumber")
            else { return }
            diagnosis.report(
                "payload-invalid", in: payload.name, cause: "The payload breaks a rule of its form, which networks call an invalid card.",
                evidence: ["rule": error.code.description, "found": error.reason],
                mend: "Write the members as the network's payment data configuration has them.")
        }
    }

    /// Mastercard takes names of up to 27 characters (provisioning.md#pass-data [O]). Whether it refuses a longer one or cuts it is in no
    /// public material, so that this is a warning.
    private func measureName(_ object: JSONObject, form: PayloadForm, in artifact: String, into diagnosis: inout Diagnosis) {
        let isMastercard =
            form == .mastercardEncrypted || PayloadForm.clearDigits(object).flatMap(DistinctNetwork.init(digits:)) == .mastercard
        guard isMastercard, let length = object["name"]?.string?.count, length > FPANPassData.mastercardNameLength else { return }
        diagnosis.report(
            "payload-invalid", severity: .warning, in: artifact, cause: "The cardholder's name is longer than Mastercard takes it.",
            evidence: [
                "rule": ApplePayError.Code.cardholderNameForm.description, "found": "\(length) characters",
                "due": "\(FPANPassData.mastercardNameLength) at most [2+]",
            ], mend: "Shorten the name as it is embossed on the card.")
    }

    private func compareBINs(_ object: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let bins = file.environments.flatMap { $0.value["bins"]?.array ?? [] }.compactMap { $0.string ?? $0.integer.map(String.init) }
        // A range or a pattern is not compared.
        guard !bins.isEmpty, bins.allSatisfy({ $0.allSatisfy(\.isNumber) }), let prefix = PayloadForm.clearDigits(object)?.prefix(8),
            prefix.utf8.count >= 6, !bins.contains(where: { prefix.hasPrefix($0) || $0.hasPrefix(prefix) })
        else { return }
        diagnosis.report(
            "bin-not-enabled", in: name, cause: "The card's BIN is not enabled for the wallet.",
            evidence: ["BIN": String(prefix.prefix(6)), "enabled": bins.joined(separator: ", ")],
            mend: "Have the network enable the range, or leave the card out.")
    }

    private func compare(
        _ object: JSONObject, in name: String, with configuration: ProvisioningCase.Named<JSONObject>, into diagnosis: inout Diagnosis
    ) {
        if let suffix = configuration.value["primaryAccountSuffix"]?.string, !suffix.isEmpty,
            let number = object["primaryAccountNumber"]?.string.flatMap({ try? CardNumber($0) }), !number.ends(with: suffix)
        {
            report(
                "primaryAccountSuffix", configured: suffix, found: number.suffix, in: name, configuration: configuration.name,
                into: &diagnosis)
        }
        guard let network = configuration.value["paymentNetwork"]?.string.flatMap(DistinctNetwork.init(spelled:)) else { return }
        let named = object["networkName"]?.string
        // A name says it outright; without one, the number does.
        let found =
            if let named { DistinctNetwork(spelled: named) } else { PayloadForm.clearDigits(object).flatMap(DistinctNetwork.init(digits:)) }
        guard let found, found != network
        else { return }
        report(
            "paymentNetwork", configured: network.passKitName, found: found.passKitName, in: name, configuration: configuration.name,
            into: &diagnosis)
    }

    private func report(
        _ member: String, configured: String, found: String, in name: String, configuration: String, into diagnosis: inout Diagnosis
    ) {
        diagnosis.report(
            "configuration-mismatch", in: name, cause: "The sheet was configured for another card than the payload's.",
            evidence: ["member": member, configuration: configured, "payload": found],
            mend: "Build configuration and payload from one card.")
    }
}
