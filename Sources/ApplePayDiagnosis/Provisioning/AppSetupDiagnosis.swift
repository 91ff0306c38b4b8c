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
        for metadata in file.metadata { examineLaunch(metadata.value, in: metadata.name, into: &diagnosis) }
        examineGroups(into: &diagnosis)
        for library in file.libraries { examineLibrary(library.value, library.name, into: &diagnosis) }
        for environment in file.environments { examineEnvironment(environment.value, environment.name, into: &diagnosis) }
        for callback in file.callbacks {
            guard let member = ["deviceType", "device"].first(where: { callback.value[$0] != nil }) else { continue }
            diagnosis.report(
                "device-assumed", severity: .warning, in: callback.name,
                cause: "The app told the host a device type, which the callback does not name: it is the app's own guess.",
                evidence: ["member": member, "value": callback.value[member]?.string ?? "not text"],
                mend:
                    "Where the host's interface demands it (Marqeta's and Synctera's do), send the target that the app offered: the phone, or a "
                    + "watch where only that was left to choose. The same callback serves both, so let nothing depend on it.")
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
        let kind = distribution.lowercased().filter(\.isLetter)
        if kind == "adhoc" {
            diagnosis.report(
                "build-unfit", severity: .warning, in: name, cause: "Whether an ad hoc build can add cards is told in two ways.",
                evidence: [
                    "distribution": distribution, "one vendor": "production tests may use ad hoc profiles, TestFlight or the store",
                    "one author": "failed with an ad hoc build",
                ],
                mend: "Where it fails, try the same build from TestFlight before looking further.")
            return
        }
        // A kind of distribution that nobody described says nothing.
        let isUnfit =
            switch kind {
            case "testflight", "beta": isOld
            case "development", "debug", "enterprise", "inhouse", "simulator": true
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

    /// Where Wallet leads for verification in the app: a scheme that the app registers (provisioning.md#pass-metadata).
    private func examineLaunch(_ metadata: JSONObject, in name: String, into diagnosis: inout Diagnosis) {
        guard let address = ["appLaunchURL", "appLaunchUrl", "app_launch_url"].lazy.compactMap({ metadata[$0]?.string }).first,
            let scheme = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map({ $0.lowercased() }),
            !["http", "https"].contains(scheme), !file.propertyLists.isEmpty,
            !file.propertyLists.contains(where: { $0.value.registrations(of: scheme) > 0 })
        else { return }
        diagnosis.report(
            "launch-scheme", in: name, cause: "Wallet's link for verification opens nothing: the app registers no such scheme.",
            evidence: [
                "appLaunchURL": address,
                "registered": file.propertyLists.flatMap(\.value.registeredSchemes).joined(separator: ", "),
                "property list": file.propertyLists.map(\.name).joined(separator: ", "),
            ],
            mend: "Have the network correct the metadata, or register the scheme in CFBundleURLTypes.")
    }

    /// App and extension without a group in common; beside an extension that is left out it is the evidence of that.
    private func examineGroups(into diagnosis: inout Diagnosis) {
        guard file.timings.allSatisfy({ $0.value["extension"] == nil }), let apart = ApplicationGroups.apart(file.apps) else { return }
        diagnosis.report(
            "app-group-differs", severity: .warning, in: file.apps.first { $0.value["applicationGroups"] != nil }?.name ?? "",
            cause: "App and extension share no application group, so the extension sees nothing that the app keeps.",
            evidence: ["application groups": apart], mend: "Give both one application group, in the entitlements and the profiles.")
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
        examineIdentifier(configuration, held: held, in: name, into: &diagnosis)
        // Two cards may share their last digits, so a pass of another card is possible.
        guard isEmpty("primaryAccountIdentifier"), !suffix.isEmpty, held.count == 1, let identifier = held.first, !identifier.isEmpty
        else { return }
        diagnosis.report(
            "identifier-empty", severity: .warning, in: name,
            cause: "The configuration names no account identifier although a pass ends as the card does.",
            evidence: ["primaryAccountIdentifier": "empty", "a pass has": identifier],
            mend: "Give the network's identifier once it is known: it hides devices that hold the pass.")
    }

    /// A processor's own name of the card in place of the network's reference: PassKit then finds no pass, and the button never goes.
    private func examineIdentifier(
        _ configuration: JSONObject, held: Set<String>, in name: String, into diagnosis: inout Diagnosis
    ) {
        guard let given = configuration["primaryAccountIdentifier"]?.string, !given.isEmpty, held.count == 1, let identifier = held.first,
            !identifier.isEmpty, !passes.contains(where: { $0["primaryAccountIdentifier"]?.string == given })
        else { return }
        diagnosis.report(
            "identifier-unknown", severity: .warning, in: name,
            cause: "The configuration's account identifier is no pass's, although exactly one pass ends as the card does.",
            evidence: ["primaryAccountIdentifier": given, "the pass has": identifier],
            mend: "Give the network's reference of the card number, which passes carry, and not the processor's token of the card.")
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
