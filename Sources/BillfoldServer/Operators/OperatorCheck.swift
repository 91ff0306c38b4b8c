package import BillfoldPayments
package import BillfoldStorage

/// Compares operators and approvals with the operators' audit trail, which tells each change of them.
package struct OperatorCheck: StoreCheck {
    package init() {}

    package func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("operators", key: ["name"], columns: ["roles", "created_at", "disabled_at"], in: tx) { row in
            let name = StoreFindings.key(row.values.prefix(1))
            let roles = try row.text(1)
            try tell(
                "operators", key: name, row: [("action", "operator.add"), ("object", row.values[0]), ("result", .text("done: \(roles)"))],
                expected: "operator.add of \(name) with \(roles)", in: tx, findings)
            var isDisabled = false
            try TableRecords.each(
                "audit_rows", key: ["merchant", "chain", "sequence"], columns: ["action"],
                where: (
                    "chain = ? AND object = ? AND result = ? AND (action = ? OR action = ?)",
                    ["operators", row.values[0], "done", "operator.disable", "operator.reset"]
                ), in: tx
            ) { isDisabled = try $0.text(3) == "operator.disable" }
            let found = try row.optionalInteger(3) != nil
            findings.demand(
                found == isDisabled, table: "operators", key: name,
                expected: isDisabled ? "disabled, as the trail says" : "not disabled, as the trail says",
                found: found ? "disabled" : "not disabled")
        }
        try approvals(in: tx, findings)
    }

    // MARK: Approvals

    /// What the trail tells of one request.
    private struct Past {
        var asked: (kind: String, subject: String, by: String, at: Timestamp)?
        /// Earlier versions told nothing of what was asked for.
        var seal: String?
        var decided: (state: String, by: String, at: Timestamp)?
        /// When somebody came too late to decide.
        var lapsedAt: Timestamp?
        /// Earlier versions told of an action's end without naming its request.
        var ended: (state: String, outcome: String)?

        /// The state that the trail comes to.
        var state: String { ended?.state ?? decided?.state ?? (lapsedAt == nil ? "waiting" : "expired") }
    }

    private func approvals(in tx: any Transaction, _ findings: StoreFindings) throws {
        var pasts = try pasts(in: tx)
        try TableRecords.each("operator_approvals", key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let past = pasts.removeValue(forKey: key) ?? Past()
            let read = try findings.read("operator_approvals", key: key) {
                try OperatorRecords.approval(ApprovalRequest.ID(bytes: row.blob(0)), in: tx)
            }
            guard let request = read ?? nil else { return }
            try compare(request, key: key, with: past, in: tx, findings)
        }
        for key in pasts.keys.sorted() {
            findings.add(.missing, table: "operator_approvals", key: key, expected: "the request that the trail tells of", found: "no row")
        }
    }

    private func compare(
        _ request: ApprovalRequest, key: String, with past: Past, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let table = "operator_approvals"
        guard let asked = past.asked else {
            return findings.add(
                .missing, table: "audit_rows", key: "operators", expected: "approval.request.\(request.kind) \(key)",
                found: "no row for \(table) \(key)")
        }
        findings.compare(table, key: key, column: "kind", expected: asked.kind, found: request.kind)
        findings.compare(table, key: key, column: "subject", expected: asked.subject, found: request.subject)
        findings.compare(table, key: key, column: "requested_by", expected: asked.by, found: request.requestedBy)
        findings.compare(table, key: key, column: "requested_at", expected: asked.at.microseconds, found: request.requestedAt.microseconds)
        if let seal = past.seal {
            findings.compare(table, key: key, column: "detail, lines and expires_at", expected: seal, found: request.seal)
        }
        let isRun = request.state == .done || request.state == .failed
        if past.ended == nil, isRun, past.decided?.state == ApprovalRequest.State.approved.rawValue {
            try tell(
                table, key: key,
                row: [
                    ("action", .text("approval.run.\(request.kind)")), ("object", .text(request.subject)),
                    ("result", .text(request.outcome ?? "")),
                ], expected: "approval.run.\(request.kind) with the outcome of \(key)", in: tx, findings)
        } else {
            findings.compare(table, key: key, column: "state", expected: past.state, found: request.state.rawValue)
            findings.compare(table, key: key, column: "outcome", expected: past.ended?.outcome ?? "", found: request.outcome ?? "")
        }
        findings.compare(table, key: key, column: "decided_by", expected: past.decided?.by ?? "", found: request.decidedBy ?? "")
        findings.compare(
            table, key: key, column: "decided_at", expected: (past.decided?.at ?? past.lapsedAt)?.microseconds ?? 0,
            found: request.decidedAt?.microseconds ?? 0)
    }

    private func pasts(in tx: any Transaction) throws -> [String: Past] {
        var pasts: [String: Past] = [:]
        try TableRecords.each(
            "audit_rows", key: ["merchant", "chain", "sequence"], columns: ["at", "actor", "action", "object", "result"],
            where: ("chain = ? AND action LIKE ?", [.text(ChainedOperatorAudit.chain), .text("approval.%")]), in: tx
        ) { row in
            let (at, actor, action) = (try row.timestamp(3), try row.text(4), try row.text(5))
            let (object, result) = (try row.text(6), try row.text(7))
            let asking = "approval.request."
            if action.hasPrefix(asking) {
                pasts[result, default: Past()].asked = (String(action.dropFirst(asking.count)), object, actor, at)
                return
            }
            if action == "approval.sealed" {
                pasts[object, default: Past()].seal = result
                return
            }
            guard let state = ApprovalRequest.State(rawValue: String(action.dropFirst("approval.".count))) else { return }
            switch state {
            case .approved, .rejected:
                if result == "done" {
                    pasts[object, default: Past()].decided = (state.rawValue, actor, at)
                } else if result == "refused: \(ServerError.Code.approvalExpired)" {
                    pasts[object, default: Past()].lapsedAt = at
                }
            case .done, .failed: pasts[object, default: Past()].ended = (state.rawValue, result)
            case .waiting, .expired: break
            }
        }
        return pasts
    }

    private func tell(
        _ table: String, key: String, row keys: [(column: String, value: SQLValue)], expected: String, in tx: any Transaction,
        _ findings: StoreFindings
    ) throws {
        let chain: [(column: String, value: SQLValue)] = [("chain", .text(ChainedOperatorAudit.chain))]
        if try !TableRecords.has("audit_rows", chain + keys, in: tx) {
            findings.add(.missing, table: "audit_rows", key: "operators", expected: expected, found: "no row for \(table) \(key)")
        }
    }
}
