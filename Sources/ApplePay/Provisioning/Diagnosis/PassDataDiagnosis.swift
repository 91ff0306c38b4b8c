import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Payloads by the rules of their JSON, and against the configuration of the same attempt (rows 18 and 19).
struct PassDataDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for payload in file.payloads {
            let object = payload.value.object
            let faults = Self.faults(object)
            for (rule, found) in faults {
                diagnosis.report(
                    "payload-invalid", in: payload.name, "The payload breaks a rule of its form, which networks call an invalid card.",
                    ["rule": rule, "found": found], mend: "Write the members as the network's payment data configuration has them.")
            }
            // One wrong member was named; the strict reader would only name it again.
            if faults.isEmpty { readStrictly(payload, into: &diagnosis) }
            compareBINs(object, payload.name, into: &diagnosis)
            if file.configurations.count == 1 { compare(object, payload.name, file.configurations[0], into: &diagnosis) }
        }
    }

    private static func faults(_ object: JSONObject) -> [(String, String)] {
        var faults: [(String, String)] = []
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
                "payload-invalid", in: payload.name, "The payload breaks a rule of its form, which networks call an invalid card.",
                ["rule": error.code.description, "found": error.reason],
                mend: "Write the members as the network's payment data configuration has them.")
        }
    }

    private func compareBINs(_ object: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let bins = file.environments.flatMap { $0.value["bins"]?.array ?? [] }.compactMap(\.string)
        guard !bins.isEmpty,
            let prefix = (object["primaryAccountNumber"] ?? object["primaryAccountNumberPrefix"])?.string?.filter(\.isNumber).prefix(6),
            prefix.utf8.count == 6, !bins.contains(where: { prefix.hasPrefix($0) || $0.hasPrefix(prefix) })
        else { return }
        diagnosis.report(
            "bin-not-enabled", in: name, "The card's BIN is not enabled for the wallet.",
            ["BIN": String(prefix), "enabled": bins.joined(separator: ", ")],
            mend: "Have the network enable the range, or leave the card out.")
    }

    private func compare(
        _ object: JSONObject, _ name: String, _ configuration: ProvisioningCase.Named<JSONObject>, into diagnosis: inout Diagnosis
    ) {
        if let suffix = configuration.value["primaryAccountSuffix"]?.string, !suffix.isEmpty,
            let number = object["primaryAccountNumber"]?.string.flatMap({ try? CardNumber($0) }), number.suffix != suffix
        {
            report("primaryAccountSuffix", suffix, number.suffix, name, configuration.name, into: &diagnosis)
        }
        guard let network = configuration.value["paymentNetwork"]?.string,
            let number = (object["primaryAccountNumber"] ?? object["primaryAccountNumberPrefix"])?.string
        else { return }
        let found = object["networkName"]?.string ?? Self.network(ofBIN: number)
        guard let found, Self.plain(found) != Self.plain(network) else { return }
        report("paymentNetwork", network, found, name, configuration.name, into: &diagnosis)
    }

    private func report(
        _ member: String, _ configured: String, _ found: String, _ name: String, _ configuration: String, into diagnosis: inout Diagnosis
    ) {
        diagnosis.report(
            "configuration-mismatch", in: name, "The sheet was configured for another card than the payload's.",
            ["member": member, configuration: configured, "payload": found], mend: "Build configuration and payload from one card.")
    }

    private static func plain(_ network: String) -> String {
        let name = network.lowercased().filter(\.isLetter)
        return name == "chinaunionpay" ? "unionpay" : name
    }

    /// By the well-known ranges; nil for the rest. [I]
    private static func network(ofBIN number: String) -> String? {
        guard let four = Int(number.prefix(4)) else { return nil }
        switch four {
        case 4_000...4_999: return "Visa"
        case 5_100...5_599, 2_221...2_720: return "MasterCard"
        case 6_200...6_299, 8_100...8_171: return "UnionPay"
        default: return nil
        }
    }
}
