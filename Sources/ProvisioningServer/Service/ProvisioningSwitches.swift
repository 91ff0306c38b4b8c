import BillfoldPayments
import BillfoldStorage

/// The bank's remote switches: a programme, or one card, is taken out of provisioning at once and for every app
/// (provisioning.md#remote-switch).
package struct ProvisioningSwitches: Sendable {
    let context: ProvisioningContext

    /// What an operator sees of a programme.
    package struct State: Sendable, Hashable {
        package var programme: Programme
        /// `nil` while nobody has touched it: the programme is on.
        package var lastChange: ProgrammeRecords.Switch?
        package var isOn: Bool { lastChange?.isOn ?? true }
    }

    package func states() async throws -> [State] {
        let programmes = context.configuration.programmes
        return try await context.database.read { tx in
            try programmes.map { State(programme: $0, lastChange: try ProgrammeRecords.find($0.id, in: tx)) }
        }
    }

    /// Turns a programme on or off. Refuses with `programme-not-found` one that is not configured.
    package func set(programme id: String, isOn: Bool, remark: String, by operatorName: String) async throws {
        guard context.configuration.programmes.contains(where: { $0.id == id }) else {
            throw ProvisioningError(code: .programmeNotFound, reason: "no such programme is configured")
        }
        let value = ProgrammeRecords.Switch(isOn: isOn, remark: remark, by: operatorName, at: context.clock.now())
        try await audited(
            by: operatorName, action: isOn ? "programme on" : "programme off", object: "programme \(id)", remark: remark
        ) { tx in
            try ProgrammeRecords.set(id, to: value, in: tx)
        }
    }

    /// Turns one card on or off. Refuses with `card-not-found`.
    package func set(card id: String, isOn: Bool, remark: String, by operatorName: String) async throws {
        let now = context.clock.now()
        try await audited(by: operatorName, action: isOn ? "card on" : "card off", object: "card \(id)", remark: remark) { tx in
            guard try CardRecords.setEnabled(isOn, card: id, at: now, in: tx) else {
                throw ProvisioningError(code: .cardNotFound, reason: "no such card")
            }
        }
    }

    /// A change and its audit row in one write.
    private func audited(
        by operatorName: String, action: String, object: String, remark: String,
        _ change: @Sendable @escaping (any Transaction) throws -> Void
    ) async throws {
        let (now, issuer) = (context.clock.now(), context.configuration.issuer)
        let links = AuditChain(key: context.configuration.keys.audit)
        try await context.database.write { tx in
            try change(tx)
            try AuditRecords.append(
                to: "provisioning", by: operatorName, action: action, object: object, result: remark, at: now, merchant: issuer,
                linking: links, in: tx)
        }
    }
}
