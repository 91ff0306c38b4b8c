import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// The app's signature, its configuration, the pass metadata and the library
/// (provisioning.md#failures, rows 1 to 6, 8 and 27 to 31).
struct AppSetupDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for app in file.apps {
            examineEntitlements(app.value, app.name, into: &diagnosis)
            examineBuild(app.value, app.name, into: &diagnosis)
            for metadata in file.metadata { compare(app.value, in: app.name, with: metadata, into: &diagnosis) }
        }
        for configuration in file.configurations { examine(configuration.value, configuration.name, into: &diagnosis) }
        for library in file.libraries { examineLibrary(library.value, library.name, into: &diagnosis) }
        for environment in file.environments { examineEnvironment(environment.value, environment.name, into: &diagnosis) }
        for callback in file.callbacks {
            guard let member = ["deviceType", "device"].first(where: { callback.value[$0] != nil }) else { continue }
            diagnosis.report(
                "device-assumed", severity: .warning, in: callback.name,
                cause: "The app told the host a device type, which the callback does not name.",
                evidence: ["member": member, "value": callback.value[member]?.string ?? "not text"],
                mend: "Leave it out: the same callback serves phone and watch.")
        }
    }

    private func examineEntitlements(_ app: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        for (member, place) in [("entitlements", "app"), ("profileEntitlements", "profile")] {
            guard let entitlements = app[member]?.object else { continue }
            let value = entitlements[ProvisioningCase.entitlement]
            guard value?.bool != true else { continue }
            diagnosis.report(
                "entitlement-missing", in: name,
                cause: "The \(place) lacks the entitlement, so the controller is nil and nothing can be added.",
                evidence: [
                    "place": place, "entitlement": ProvisioningCase.entitlement,
                    "value": value == nil ? "absent" : value?.bool == false ? "false" : "not a boolean",
                ],
                mend: "Have Apple grant it, and sign with a profile that carries it as true.")
        }
    }

    private func examineBuild(_ app: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        guard let distribution = app["distribution"]?.string else { return }
        let minimum = app["minimumOSVersion"]?.string ?? ""
        let parts = minimum.split(separator: ".").map { Int($0) }
        let isOld = !parts.isEmpty && !parts.contains(nil) && parts.compactMap { $0 }.lexicographicallyPrecedes([10, 3])
        // A kind of distribution that nobody described says nothing.
        let isUnfit =
            switch distribution.lowercased().filter(\.isLetter) {
            case "testflight", "beta": isOld
            case "development", "debug", "adhoc", "enterprise", "inhouse", "simulator": true
            default: false
            }
        if isUnfit {
            diagnosis.report(
                "build-unfit", in: name, cause: "A build of this kind cannot add cards.",
                evidence: ["distribution": distribution, "minimumOSVersion": minimum],
                mend: "Test with TestFlight and a deployment target of 10.3 or later; live builds come from the App Store.")
        }
    }

    /// Rows 5, 6 and 8 (provisioning.md#failures): identifiers may end in a wildcard.
    private func compare(
        _ app: JSONObject, in name: String, with metadata: ProvisioningCase.Named<JSONObject>, into diagnosis: inout Diagnosis
    ) {
        let associated = (metadata.value["associatedApplicationIdentifiers"]?.array ?? []).compactMap(\.string)
        func isAssociated(_ id: String) -> Bool {
            associated.contains { $0 == id || ($0.hasSuffix("*") && id.hasPrefix($0.dropLast())) }
        }
        let listed = associated.isEmpty ? "none" : associated.joined(separator: ", ")
        if let id = app["bundleIdentifier"]?.string, !isAssociated(id) {
            diagnosis.report(
                "app-not-associated", in: metadata.name,
                cause: "The pass metadata does not list the app, so the library hides its passes from it.",
                evidence: ["app": id, "associatedApplicationIdentifiers": listed],
                mend: "Have the network add TeamID.bundleID; present passes may need an update, or to be added again.")
        }
        for id in (app["extensions"]?.array ?? []).compactMap(\.string) where !isAssociated(id) {
            diagnosis.report(
                "extension-not-associated", in: metadata.name,
                cause: "The pass metadata does not list the extension, which therefore sees no pass.",
                evidence: ["extension": id, "associatedApplicationIdentifiers": listed],
                mend: "Have the network add the identifier of each extension too.")
        }
        if let adamID = app["adamID"]?.integer, let stores = metadata.value["associatedStoreIdentifiers"]?.array,
            !stores.contains(where: { $0.integer == adamID || $0.string == String(adamID) })
        {
            diagnosis.report(
                "store-identifier", in: metadata.name, cause: "The pass metadata names another app of the store.",
                evidence: [
                    "app": String(adamID),
                    "associatedStoreIdentifiers": stores.compactMap(\.integer).map(String.init).joined(separator: ", "),
                ],
                mend: "Have the network, and Apple's allow list, name the app's own Adam ID.")
        }
    }

    private func examine(_ configuration: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        func isEmpty(_ key: String) -> Bool { configuration[key]?.string?.isEmpty ?? true }
        let scheme = configuration["encryptionScheme"]?.string ?? ""
        if EncryptionScheme(spelled: scheme) == nil || (isEmpty("cardholderName") && isEmpty("primaryAccountSuffix")) {
            diagnosis.report(
                "configuration-incomplete", in: name, cause: "PassKit refuses the configuration.",
                evidence: [
                    "encryptionScheme": scheme.isEmpty ? "empty" : scheme, "cardholderName": isEmpty("cardholderName") ? "empty" : "set",
                    "primaryAccountSuffix": isEmpty("primaryAccountSuffix") ? "empty" : "set",
                ],
                mend: "Name EV_ECC_v2 and at least one of cardholder name and suffix, better both.")
        }
        let suffix = configuration["primaryAccountSuffix"]?.string ?? ""
        let held = Set(
            passes.filter { $0["primaryAccountNumberSuffix"]?.string == suffix }.compactMap { $0["primaryAccountIdentifier"]?.string })
        // Two cards may share their last digits, so a pass of another card is possible.
        guard isEmpty("primaryAccountIdentifier"), !suffix.isEmpty, held.count == 1, let identifier = held.first, !identifier.isEmpty
        else { return }
        diagnosis.report(
            "identifier-empty", severity: .warning, in: name,
            cause: "The configuration names no account identifier although a pass ends as the card does.",
            evidence: ["primaryAccountIdentifier": "empty", "a pass has": identifier],
            mend: "Give the network's identifier once it is known: it hides devices that hold the pass.")
    }

    private var passes: [JSONObject] {
        file.libraries.flatMap { ($0.value["passes"]?.array ?? []) + ($0.value["remotePasses"]?.array ?? []) }.compactMap(\.object)
    }

    private func examineLibrary(_ library: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let held = ((library["passes"]?.array ?? []) + (library["remotePasses"]?.array ?? [])).count
        if library["eligibilityState"]?.integer == 1, held == 0 {
            diagnosis.report(
                "added-without-pass", in: name, cause: "The card counts as added everywhere and no library holds a pass.",
                evidence: ["eligibilityState": "1", "passes": "0"],
                mend: "Without the entitlement the library answers no: look at the signature before the passes.")
        }
        if let state = library["addedPass"]?.object?["activationState"]?.integer, state != 0, library["shownAs"]?.string == "active" {
            diagnosis.report(
                "pass-not-active", in: name, cause: "A pass that awaits verification was shown as ready.",
                evidence: ["activationState": String(state), "shown as": "active"],
                mend: "Look at the activation state of the pass that the callback hands over.")
        }
    }

    private func examineEnvironment(_ environment: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let network = environment["network"]?.string ?? ""
        if environment["environment"]?.string == "sandbox", network.lowercased() == "visa" {
            diagnosis.report(
                "no-sandbox", in: name, cause: "The network has no sandbox for provisioning.",
                evidence: ["environment": "sandbox", "network": network],
                mend: "Test in production with cards and devices on the network's allow list.")
        }
        guard environment["testPhase"]?.bool == true, let suffix = environment["suffix"]?.string,
            let secureElement = environment["secureElement"]?.string
        else { return }
        let listed = (environment["allowList"]?.array ?? []).compactMap(\.object)
        func digits(_ text: String?) -> String { (text ?? "").lowercased().filter(\.isHexDigit) }
        guard !listed.contains(where: { $0["suffix"]?.string == suffix && digits($0["secureElement"]?.string) == digits(secureElement) })
        else { return }
        diagnosis.report(
            "not-on-allow-list", in: name, cause: "In the test phase the network takes listed pairs of card and device alone.",
            evidence: ["card": suffix, "secureElement": secureElement, "listed pairs": String(listed.count)],
            mend: "Have the network list this card with this secure element.")
    }
}
