import BillfoldWeb

extension ProvisioningOverview.Switch {
    func model(path: String, isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "isOn": isOn, "path": path, "isOffered": isOffered, "state": StateWord(isOn ? "on" : "off"),
            "next": isOn ? "Switch off" : "Switch on", "turnsOn": isOn ? "false" : "true",
        ]
        model["remark"] = remark
        model["changedBy"] = changedBy
        model["changedAt"] = changedAt.map(InstantText.utc)
        model["changedAtMachine"] = changedAt.map(InstantText.machine)
        return model
    }
}

extension ProvisioningOverview.Programme {
    func model(isOffered: Bool) -> [String: Any] {
        [
            "id": id, "displayName": displayName,
            "offer": state.model(path: "/api/provisioning/programmes/\(PathSegment.encoded(id))/switch", isOffered: isOffered),
        ]
    }
}

extension ProvisioningOverview.Card {
    var path: String { "/provisioning/cards/\(PathSegment.encoded(id))" }

    var model: [String: Any] {
        [
            "id": id, "path": path, "displayName": displayName, "network": network, "suffix": suffix, "customer": customer,
            "cardholderName": cardholderName, "state": StateWord(status),
            "offer": StateWord(isSwitchedOn ? "on" : "off"), "tokens": tokenCount,
        ]
    }
}

extension ProvisioningOverview.AllowedDevice {
    func model(isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "card": card, "cardPath": "/provisioning/cards/\(PathSegment.encoded(card))", "secureElement": secureElement,
            "isOffered": isOffered,
        ]
        model["remark"] = remark
        model["addedBy"] = addedBy
        model["addedAt"] = addedAt.map(InstantText.utc)
        return model
    }
}

extension ProvisioningOverview.LostDevice {
    func model(isOffered: Bool) -> [String: Any] {
        [
            "secureElement": secureElement, "reportedAt": InstantText.utc(reportedAt), "reportedAtMachine": InstantText.machine(reportedAt),
            "isOffered": isOffered,
        ]
    }
}

extension ProvisioningOverview.Review {
    func model(isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "cardName": cardName, "cardPath": "/provisioning/cards/\(PathSegment.encoded(card))",
            "tokenReference": tokenReference, "device": device, "reasons": reasons, "state": StateWord(state),
            "openedAt": InstantText.utc(openedAt), "openedAtMachine": InstantText.machine(openedAt), "isOffered": isOffered,
        ]
        model["concludedBy"] = concludedBy
        model["remark"] = remark
        return model
    }
}

extension ProvisioningOverview.Decision {
    /// The words beside the colour: colour alone says nothing to who does not see it.
    private static let meanings = [
        "green": "active at once", "yellow": "customer verified first", "orange": "reviewed by the fraud team", "red": "refused",
    ]

    var model: [String: Any] {
        var model: [String: Any] = [
            "cardName": cardName, "cardPath": "/provisioning/cards/\(PathSegment.encoded(card))", "device": device,
            "colour": Self.meanings[colour] == nil ? "unknown" : colour, "colourName": colour, "meaning": Self.meanings[colour] ?? "",
            "answer": answer, "reasons": reasons, "hasReasons": !reasons.isEmpty, "recommendation": recommendation,
            "at": InstantText.utc(at), "atMachine": InstantText.machine(at), "requestID": requestID,
        ]
        model["tokenReference"] = tokenReference
        model["storyPath"] = attempt.map { "/stories/\(PathSegment.encoded("provisioning.attempt:" + $0))" }
        return model
    }
}

extension ProvisioningOverview.Stop {
    func model(isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "path": "/api/provisioning/stops/\(PathSegment.encoded(id))", "cardName": cardName,
            "cardPath": "/provisioning/cards/\(PathSegment.encoded(card))", "tokenReference": tokenReference, "device": device,
            "wish": action == "delete" ? "Delete" : "Suspend", "askedBy": askedBy, "at": InstantText.utc(at),
            "atMachine": InstantText.machine(at), "isOffered": isOffered,
            "standing": isRefused ? "The network refused" : "The network never answered",
        ]
        if !outcome.isEmpty, isRefused { model["outcome"] = outcome }
        model["state"] = tokenState.map { StateWord($0) }
        return model
    }
}

extension ProvisioningCardView.Token {
    func model(isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "reference": reference, "device": device, "state": StateWord(state), "changedAt": InstantText.utc(changedAt),
            "changedAtMachine": InstantText.machine(changedAt), "awaitsVerification": awaitsVerification,
            "path": "/api/provisioning/tokens/\(PathSegment.encoded(reference))/actions",
            "isOffered": isOffered && state != "deleted", "maySuspend": state == "active" || state == "inactive",
            "mayResume": state == "suspended",
        ]
        if !suspendedBy.isEmpty { model["suspendedBy"] = suspendedBy.joined(separator: ", ") }
        model["secureElement"] = secureElement
        model["deviceSuffix"] = deviceSuffix
        model["pendingAction"] = pendingAction
        return model
    }
}

extension ProvisioningCardView.Message {
    var model: [String: Any] {
        [
            "channel": channel, "contact": contact, "subject": subject, "state": StateWord(state), "at": InstantText.utc(at),
            "atMachine": InstantText.machine(at),
        ]
    }
}
