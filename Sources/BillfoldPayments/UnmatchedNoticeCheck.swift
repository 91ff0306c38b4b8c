public import BillfoldStorage

/// Compares the notices about what the books do not know with what the audit chains tell of them: when each was kept, settled and opened
/// again, and who settled it.
///
/// The chain ``UnmatchedNoticeRecords/chain`` began later than the table. A notice that has no row there may be one that an earlier version
/// kept, and its content is believed; but not where it came in after the first that has one, for since then every notice has.
public enum UnmatchedNoticeCheck {
    private static let table = "unmatched_notices"

    private struct Place: Hashable {
        var owner: MerchantID
        var id: TimeOrderedID

        var key: String { StoreFindings.key([owner.sql, id.sql]) }
    }

    /// What two persons decided, by the operators' chain.
    private struct Decision {
        var action: String
        var actor: String
        var result: String
        var at: Timestamp
    }

    /// What the chains tell of one notice.
    private struct Past {
        /// The digest of what never changes.
        var kept: String?
        /// How its last settling or opening was told; `nil` where none was.
        var last: (action: String, result: String)?
        var note: String?
        var settlements = 0
        var decisions: [Decision] = []
    }

    private struct Trail {
        var pasts: [Place: Past] = [:]
        /// When the first notice was kept that the chain tells of.
        var began: [MerchantID: Timestamp] = [:]
    }

    public static func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        var trail = try told(in: tx, findings)
        try TableRecords.each(
            table, key: ["owner", "id"],
            columns: ["currency", "amount", "way", "remark", "outcome", "people", "request", "settled_at"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read(table, key: key) {
                try UnmatchedNoticeRecords.find(row.timeOrderedID(1), owner: MerchantID(row.text(0)), in: tx)
            }
            for (columns, name) in [(2..<4, "an amount with its currency, or neither"), (4..<10, "a whole settlement, or none")] {
                let empty = row.values[columns].count { $0 == .null }
                findings.demand(
                    empty == 0 || empty == columns.count, table: table, key: key, expected: name, found: "\(empty) columns without a value")
            }
            guard let notice = read ?? nil else { return }
            let past = trail.pasts.removeValue(forKey: Place(owner: notice.owner, id: notice.id))
            if past?.kept == nil, let began = trail.began[notice.owner], notice.receivedAt > began {
                findings.add(
                    .unexpected, table: table, key: key, expected: "a row of the trail that tells when it was kept", found: "no row")
            }
            compare(notice, key: key, with: past ?? Past(), into: findings)
        }
        for key in trail.pasts.keys.map(\.key).sorted() {
            findings.add(.missing, table: table, key: key, expected: "the notice that the trail tells of", found: "no row")
        }
    }

    private static func compare(_ notice: UnmatchedNotice, key: String, with past: Past, into findings: StoreFindings) {
        if let kept = past.kept {
            findings.compare(table, key: key, column: "a content of the digest", expected: kept, found: notice.digest)
        }
        if past.kept != nil || past.note != nil {
            findings.compare(table, key: key, column: "note", expected: past.note ?? "", found: notice.note)
        }
        let found = notice.settlement.map { "settled: \($0.way)" } ?? "open"
        let isSettled = past.last.map { $0.action != UnmatchedNoticeRecords.reopened } ?? false
        if past.kept != nil || past.last != nil {
            findings.demand(
                isSettled == (notice.settlement != nil), table: table, key: key,
                expected: isSettled ? "settled, as the trail says" : "open, as the trail says",
                found: found)
            if isSettled, let settlement = notice.settlement, let told = past.last {
                findings.compare(table, key: key, column: "a settlement of the digest", expected: told.result, found: settlement.digest)
            }
        }
        if past.kept != nil {
            findings.demand(
                past.decisions.count == past.settlements, table: table, key: key,
                expected: "\(past.settlements) settlements in the operators' trail",
                found: "\(past.decisions.count)")
        }
        guard let settlement = notice.settlement, settlement.way != UnmatchedNotice.matched else {
            // Earlier versions opened notices again without a word in the trail; the note is what they left.
            if past.kept == nil, past.last == nil, notice.note.isEmpty, let decision = past.decisions.last {
                findings.add(
                    .differs, table: table, key: key, expected: "settled: \(decision.action), as the operators' trail says", found: found)
            }
            return
        }
        let action = "notice.\(settlement.way)"
        guard let decision = past.decisions.last else {
            return findings.add(
                .missing, table: "audit_rows", key: "\(notice.owner)/operators", expected: "\(action) of \(notice.id)", found: "no row")
        }
        findings.compare(table, key: key, column: "way", expected: decision.action, found: action)
        findings.compare(table, key: key, column: "people", expected: EventDetail.storable(decision.actor), found: settlement.people)
        findings.compare(table, key: key, column: "settled_at", expected: decision.at.microseconds, found: settlement.at.microseconds)
        // The trail has the outcome whole, the row as much of it as it holds.
        findings.demand(
            decision.result.utf8.starts(with: "\(notice.summary): \(settlement.outcome)".utf8)
                && decision.result.hasSuffix(": \(settlement.remark)"), table: table, key: key,
            expected: "what the operators' trail says: \(decision.result)",
            found: "\(notice.summary): \(settlement.outcome): \(settlement.remark)")
    }

    private static func told(in tx: any Transaction, _ findings: StoreFindings) throws -> Trail {
        var trail = Trail()
        try TableRecords.each(
            "audit_rows", key: ["merchant", "chain", "sequence"], columns: ["at", "actor", "action", "object", "result"],
            where: (
                "(chain = ? OR chain = ?) AND action LIKE ?",
                [.text(UnmatchedNoticeRecords.chain), .text("operators"), .text("notice.%")]
            ), in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(3))
            let isByPeople = try row.text(1) == "operators"
            let (at, action, result) = (try row.timestamp(3), try row.text(5), try row.text(7))
            let place = try findings.read("audit_rows", key: key) {
                let object = try row.text(6)
                return Place(
                    owner: try MerchantID(row.text(0)), id: try TimeOrderedID(text: isByPeople ? String(object.dropFirst(7)) : object))
            }
            guard let place else { return }
            var past = trail.pasts[place] ?? Past()
            if isByPeople {
                past.decisions.append(Decision(action: action, actor: try row.text(4), result: result, at: at))
            } else if action == UnmatchedNoticeRecords.kept {
                past.kept = result
                trail.began[place.owner] = trail.began[place.owner] ?? at
            } else {
                past.last = (action, result)
                if action == UnmatchedNoticeRecords.reopened { past.note = result }
                if action == UnmatchedNoticeRecords.settled { past.settlements += 1 }
            }
            trail.pasts[place] = past
        }
        return trail
    }
}
