import ApplePay

/// The bank's remote switches: nothing is provisioned while the programme or the card is switched off
/// (provisioning.md#remote-switch [O]).
package struct SwitchRule: DecisionRule {
    package init() {}

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard let card = request.card else { return [] }
        var objections: [DecisionObjection] = []
        if !card.isProgrammeEnabled { objections.append(.init(.red, .programmeOff)) }
        if !card.isEnabled { objections.append(.init(.red, .cardOff)) }
        return objections
    }
}
