public import BillfoldPayments
public import BillfoldStorage

/// Compares operators and approvals with the operators' audit trail, which tells each change of them.
public struct OperatorCheck: StoreCheck {
    public init() {}

    public func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("operators", key: ["name"], ["roles", "created_at", "disabled_at"], in: tx) { row in
            let name = StoreFindings.key(row.values.prefix(1))
            let roles = try row.text(1)
            try tell(
                "operators", name, [("action", "operator.add"), ("object", row.values[0]), ("result", .text("done: \(roles)"))],
                "operator.add of \(name) with \(roles)", in: tx, findings)
            var isDisabled = false
            try TableRecords.each(
                "audit_rows", key: ["merchant", "chain", "sequence"], ["action"],
                where: (
                    "chain = ? AND object = ? AND result = ? AND (action = ? OR action = ?)",
                    ["operators", row.values[0], "done", "operator.disable", "operator.reset"]
                ), in: tx
            ) { isDisabled = try $0.text(3) == "operator.disable" }
            let found = try row.optionalInteger(3) != nil
            findings.demand(
                found == isDisabled, "operators", name, isDisabled ? "disabled, as the trail says" : "not disabled, as the trail says",
                found: found ? "disabled" : "not disabled")
        }
        try TableRecords.each(
            "operator_approvals", key: ["id"], ["kind", "subject", "requested_by", "state", "decided_by"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let (kind, state) = (try row.text(1), try row.text(4))
            guard let read = ApprovalRequest.State(rawValue: state) else {
                return findings.add(.unreadable, "operator_approvals", key, expected: "a state of an approval", found: state)
            }
            try tell(
                "operator_approvals", key,
                [
                    ("action", .text("approval.request.\(kind)")), ("object", row.values[2]), ("actor", row.values[3]),
                    ("result", .text(key)),
                ], "approval.request.\(kind) \(key)", in: tx, findings)
            let decision: String? =
                switch read {
                case .waiting, .expired: nil
                case .approved, .done, .failed: "approval.approved"
                case .rejected: "approval.rejected"
                }
            if let decision {
                try tell(
                    "operator_approvals", key,
                    [("action", .text(decision)), ("object", .text(key)), ("actor", row.values[5]), ("result", "done")],
                    "\(decision) of \(key)", in: tx, findings)
            }
        }
    }

    private func tell(
        _ table: String, _ key: String, _ keys: [(column: String, value: SQLValue)], _ expected: String, in tx: any Transaction,
        _ findings: StoreFindings
    ) throws {
        let chain: [(column: String, value: SQLValue)] = [("chain", .text(ChainedOperatorAudit.chain))]
        if try !TableRecords.has("audit_rows", chain + keys, in: tx) {
            findings.add(.missing, "audit_rows", "operators", expected: expected, found: "no row for \(table) \(key)")
        }
    }
}
