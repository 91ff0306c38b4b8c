import ApplePay
import BillfoldEvents
import BillfoldJSON
package import BillfoldPayments
import BillfoldStorage

extension ProvisioningServer {
    /// What the rows of this server's store must agree about.
    ///
    /// - Parameter links: With the audit key, where it is given. Without it the links of the chains are compared, and not what the rows
    ///   say.
    package static func check(links: AuditChain?) -> any StoreCheck { ProvisioningCheck(links: links) }
}

struct ProvisioningCheck: StoreCheck {
    let links: AuditChain?

    func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        let forgotten = try RetentionRecords.mark(RetentionRecords.outbox, in: tx) ?? Timestamp(microseconds: 0)
        try cards(in: tx, findings)
        try tokens(in: tx, findings)
        try events(in: tx, findings)
        try decisions(in: tx, findings)
        try reviews(in: tx, findings)
        try actions(since: forgotten, in: tx, findings)
        try told(in: tx, findings)
        try bank(in: tx, findings)
        try ownersOfCards(in: tx, findings)
        try LedgerCheck.strangers(besides: ["none"], in: tx, findings)
        try AuditCheck(links: links).run(in: tx, findings) { _, chain in
            ["provisioning", "operators", UnmatchedNoticeRecords.chain].contains(chain) ? .untold : .ownerMissing
        }
        try EventCheck.run(in: tx, findings)
        try OutboxCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try OutboxCheck.deadlines(in: tx, findings) { _ in "nothing: the issuer's host has no deadlines" }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { try problem($0, in: tx) }
    }

    // MARK: Cards and tokens

    private func cards(in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "provisioning_cards"
        try TableRecords.each(table, key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read(table, key: key) { try CardRecords.find(row.text(0), in: tx) }
            guard let card = read ?? nil else { return }
            let holds = try findings.read("token_card_holds", key: key) { try CardHoldRecords.list(card: card.id, in: tx) }
            guard let holds else { return }
            findings.compare(table, key: key, column: "status", expected: card.status.held(by: holds).rawValue, found: card.status.rawValue)
            findings.demand(
                card.numberHash.count == 32, table: table, key: key, expected: "a hash of 32 bytes", found: "\(card.numberHash.count)")
            // Nothing takes a closure back.
            for event in CardEvent.allCases where event.heldStatus == .closed && !holds.contains(event) {
                if try isTold("card.\(event.rawValue)", "card \(card.id)", in: tx) {
                    findings.add(
                        .missing, table: "token_card_holds", key: "\(key)/\(event.rawValue)", expected: "what the bank reported",
                        found: "no row")
                }
            }
            if let isOn = try last(of: ["card on", "card off"], "card \(card.id)", in: tx).map({ $0 == "card on" }) {
                findings.demand(
                    card.isEnabled == isOn, table: table, key: key, expected: isOn ? "switched on" : "switched off", found: "the other")
            }
        }
    }

    private func tokens(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("tokens", key: ["reference"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("tokens", key: key) { try TokenRecords.find(row.text(0), in: tx) }
            guard let token = read ?? nil else { return }
            let decision = try findings.read("token_decisions", key: key) { try DecisionRecords.find(token: token.reference, in: tx) }
            if let decision = decision ?? nil {
                findings.compare("tokens", key: key, column: "network", expected: decision.network.rawValue, found: token.network.rawValue)
                if let card = decision.card {
                    findings.compare("tokens", key: key, column: "card", expected: card, found: token.card ?? "none")
                }
            }
            let snapshot = token.snapshot
            findings.demand(
                (snapshot.state == .suspended) == !snapshot.suspendedBy.isEmpty || snapshot.state == .deleted, table: "tokens", key: key,
                expected: "suspenders of a suspended token", found: "\(snapshot.state.rawValue) \(snapshot.suspendedBy.sorted())")
            try replay(token, key: key, in: tx, findings)
            try message(about: token, key, in: tx, findings)
        }
    }

    /// A token is the greatest of what events told of it. An event's fingerprint holds what it told; where it holds another state than the
    /// stored one, the stored one is wrong. Answers of the network leave none.
    private func replay(_ token: StoredToken, key: String, in tx: any Transaction, _ findings: StoreFindings) throws {
        let columns = ["kind", "code", "reason", "sequence", "fingerprint", "effect", "occurred_at"]
        var (isDeleted, isTold) = (false, false)
        try TableRecords.each(
            "token_events", key: ["network", "event_id"], columns: columns, where: ("token = ?", [.text(token.reference)]), in: tx
        ) { row in
            let name = StoreFindings.key(row.values.prefix(2))
            let isNews = ["appeared", "moved", "confirmed"].contains(try row.text(7))
            let sequence = try row.integer(5)
            if try row.text(2) == TokenEvent.Kind.deleted.rawValue, isNews { isDeleted = true }
            if isNews, sequence > token.snapshot.sequence, token.snapshot.state != .deleted {
                findings.add(
                    .differs, table: "tokens", key: key, expected: "sequence \(sequence), as event \(name) told",
                    found: "\(token.snapshot.sequence)")
            }
            guard isNews, sequence == token.snapshot.sequence else { return }
            isTold = true
            let (kind, code, reason) = (try row.text(2), try row.optionalText(3), try row.optionalText(4))
            let (fingerprint, at) = (try row.blob(6), try row.timestamp(8))
            func tells(_ state: TokenState, _ suspenders: Set<Suspender>) throws -> Bool {
                for device in [token.device, nil] {
                    for suffix in [token.deviceAccountSuffix, nil] {
                        let told = ToldToken(
                            reference: token.reference, primaryAccountIdentifier: token.primaryAccountIdentifier,
                            snapshot: TokenSnapshot(sequence: sequence, state: state, suspendedBy: suspenders), device: device,
                            deviceAccountSuffix: suffix)
                        if try TokenEvent.fingerprint(kind: kind, code: code, reason: reason, at: at, told: told).bytes == fingerprint {
                            return true
                        }
                    }
                }
                return false
            }
            guard try !tells(token.snapshot.state, token.snapshot.suspendedBy) else { return }
            for state in TokenState.allCases {
                for suspenders in [token.snapshot.suspendedBy, [], [.issuer], [.tokenRequestor], [.cardholder], [.mobilePINLocked]] {
                    guard try tells(state, suspenders) else { continue }
                    findings.add(
                        .differs, table: "tokens", key: key, expected: "\(state.rawValue) \(suspenders.sorted()), as event \(name) told",
                        found: "\(token.snapshot.state.rawValue) \(token.snapshot.suspendedBy.sorted())")
                    return
                }
            }
        }
        if isDeleted { findings.compare("tokens", key: key, column: "state", expected: "deleted", found: token.snapshot.state.rawValue) }
        // What no event told, the network answered to an action.
        let asked = try TableRecords.sum(
            of: "place", "token_actions",
            where: (
                "(token = ? OR token IS NULL AND card = ?) AND state <> 'waiting'",
                [.text(token.reference), .optional(token.card)]
            ), in: tx)
        if !isTold, asked.rows == 0 {
            findings.add(
                .missing, table: "token_events", key: key, expected: "what told sequence \(token.snapshot.sequence)", found: "no row")
        }
    }

    /// The customer is told of a new state in the write that stores it.
    private func message(about token: StoredToken, _ key: String, in tx: any Transaction, _ findings: StoreFindings) throws {
        guard let card = token.card else { return }
        var subjects: Set<String> = []
        try TableRecords.each(
            "token_messages", key: ["id"], columns: ["subject"],
            where: ("card = ? AND at = ?", [.text(card), .integer(token.changedAt.microseconds)]),
            in: tx
        ) { subjects.insert(try $0.text(1)) }
        let fitting: [TokenState: Set<String>] = [
            .inactive: ["token added"], .active: ["token active", "token resumed"], .suspended: ["token suspended"],
            .deleted: ["token deleted"],
        ]
        let told = subjects.intersection(fitting.values.joined())
        guard !told.isEmpty, told.isDisjoint(with: fitting[token.snapshot.state] ?? []) else { return }
        findings.add(
            .differs, table: "tokens", key: key, expected: "what the customer was told: \(told.sorted())",
            found: token.snapshot.state.rawValue)
    }

    private func events(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("token_events", key: ["network", "event_id"], columns: ["token", "kind", "effect", "fingerprint"], in: tx) {
            row in
            let key = StoreFindings.key(row.values.prefix(2))
            let (kind, effect) = (try row.text(3), try row.text(4))
            findings.demand(
                TokenEvent.Kind(rawValue: kind) != nil && TokenTransition.Effect(rawValue: effect) != nil, table: "token_events", key: key,
                expected: "a kind and an effect of an event", found: "\(kind) \(effect)")
            findings.demand(
                try row.blob(5).count == 32, table: "token_events", key: key, expected: "a fingerprint of 32 bytes", found: "another")
            if try !TableRecords.has("tokens", [("reference", row.values[2]), ("network", row.values[0])], in: tx) {
                findings.add(
                    .missing, table: "tokens", key: StoreFindings.key([row.values[2]]), expected: "the token of event \(key)",
                    found: "no row")
            }
        }
    }

    // MARK: Decisions

    private func decisions(in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "token_decisions"
        try TableRecords.each(table, key: ["network", "request_id"], columns: ["colour", "secure_element", "at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read(table, key: key) {
                try DecisionRecords.find(network: row.scheme(0), requestID: row.text(1), in: tx)
            }
            guard let found = read ?? nil else { return }
            findings.compare(table, key: key, column: "colour", expected: found.decision.colour.rawValue, found: try row.text(2))
            findings.compare(table, key: key, column: "secure_element", expected: found.inputs.device.secureElement, found: try row.text(3))
            findings.compare(table, key: key, column: "at", expected: found.at.microseconds, found: try row.integer(4))
            // Its key is kept for ever: the answer is what was decided.
            let name = try IdempotencyKey(
                caller: "network:\(found.network.rawValue)", operation: DecisionService.operation, key: found.requestID)
            let answer = try findings.read("idempotency_keys", key: key) {
                try IdempotencyRecords.result(name, in: tx).map { try JSONDocument.decode(DecisionService.Answer.self, $0) }
            }
            if let answer {
                let fits = answer.map { $0.colour == found.decision.colour && $0.reasons == found.decision.reasons }
                if fits != true {
                    findings.add(
                        fits == nil ? .missing : .differs, table: "idempotency_keys", key: key,
                        expected: "the answer \(found.decision.colour.rawValue)",
                        found: answer?.colour.rawValue ?? "no row")
                }
            }
            let review: [(column: String, value: SQLValue)] = [("network", row.values[0]), ("request_id", row.values[1])]
            if found.decision.colour == .orange, found.inputs.review != .waiting, found.card != nil,
                try !TableRecords.has("token_reviews", review, in: tx)
            {
                findings.add(.missing, table: "token_reviews", key: key, expected: "what a person looks at", found: "no row")
            }
        }
    }

    private func reviews(in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "token_reviews"
        try TableRecords.each(table, key: ["id"], columns: ["concluded_at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read(table, key: key) { try ReviewRecords.find(row.timeOrderedID(0), in: tx) }
            guard let review = read ?? nil else { return }
            let decision = try findings.read("token_decisions", key: key) {
                try DecisionRecords.find(network: review.network, requestID: review.requestID, in: tx)
            }
            if let decision {
                findings.demand(
                    decision?.token == review.token && decision?.card == review.card, table: table, key: key,
                    expected: "the decision that it is about",
                    found: decision.map { "\($0.token) of \($0.card ?? "no card")" } ?? "no row")
            }
            let end = try row.optionalInteger(1)
            findings.demand(
                (end == nil) == (review.state == .waiting), table: table, key: key, expected: "an instant of its end where it ended",
                found: review.state.rawValue
            )
            guard review.state == .approved || review.state == .refused, let end else { return }
            let told: [(column: String, value: SQLValue)] = [
                ("chain", "provisioning"), ("action", .text("review.\(review.state.rawValue)")), ("object", .text("token \(review.token)")),
                ("at", .integer(end)),
            ]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "audit_rows", key: "provisioning", expected: "review.\(review.state.rawValue) of \(key)",
                    found: "no row")
            }
        }
    }

    // MARK: Actions

    private func actions(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "token_actions"
        var places: (token: String, count: Int64)?
        try TableRecords.each(table, key: ["id"], columns: ["settled_at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read(table, key: key) { try ActionRecords.find(row.timeOrderedID(0), in: tx) }
            guard let action = read ?? nil else { return }
            let isSettled = try row.optionalInteger(1) != nil
            findings.demand(
                isSettled == (action.state != .waiting), table: table, key: key, expected: "an instant of its end where it ended",
                found: action.state.rawValue)
            let hasMessage = try TableRecords.has("outbox", [("id", action.id.sqlValue)], in: tx)
            if isSettled, action.at >= forgotten, !hasMessage {
                findings.add(.missing, table: "outbox", key: key, expected: "the message of the action", found: "no row")
            }
            guard let token = action.token else { return }
            if places?.token != token {
                places = (token, try TableRecords.sum(of: "place", table, where: ("token = ?", [.text(token)]), in: tx).rows)
            }
            findings.demand(
                (1...max(1, places?.count ?? 1)).contains(action.place), table: table, key: key,
                expected: "one of \(places?.count ?? 0) places",
                found: "\(action.place)")
        }
        for (other, columns, on) in [
            ("token_action_resolutions", ["t.action"], "o.id = t.action"),
            ("token_action_attempts", ["t.notification", "t.number"], "o.id = t.notification"),
        ] {
            for row in try TableRecords.without(table, table: other, columns: columns, on: on, absent: "id", in: tx) {
                findings.add(.unexpected, table: other, key: StoreFindings.key(row.values), expected: "its action", found: "no row")
            }
        }
        try TableRecords.each("token_action_resolutions", key: ["action"], columns: ["at", "person"], in: tx) { row in
            let told: [(column: String, value: SQLValue)] = [("chain", "provisioning"), ("at", row.values[1]), ("actor", row.values[2])]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                let key = StoreFindings.key(row.values.prefix(1))
                findings.add(.missing, table: "audit_rows", key: "provisioning", expected: "who resolved \(key)", found: "no row")
            }
        }
    }

    /// What operators' reports left, and the rows of the trail that tell of it.
    private func told(in tx: any Transaction, _ findings: StoreFindings) throws {
        func expect(_ table: String, key: String, action: String, object: String, at: Int64) throws {
            let told: [(column: String, value: SQLValue)] = [
                ("chain", "provisioning"), ("action", .text(action)), ("object", .text(object)), ("at", .integer(at)),
            ]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "audit_rows", key: "provisioning", expected: "\(action) of \(object), as \(table) \(key) says",
                    found: "no row")
            }
        }
        try TableRecords.each("token_card_holds", key: ["card", "event"], columns: ["at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            try expect("token_card_holds", key: key, action: "card.\(row.text(1))", object: "card \(row.text(0))", at: row.integer(2))
        }
        try TableRecords.each("token_lost_devices", key: ["secure_element"], columns: ["at"], in: tx) { row in
            let element = try row.text(0)
            try expect("token_lost_devices", key: element, action: "device.lost", object: "device \(element)", at: row.integer(1))
        }
        try TableRecords.each("token_allow_list", key: ["card", "secure_element"], columns: ["added_at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            try expect(
                "token_allow_list", key: key, action: "allow-list.add", object: "card \(row.text(0)) device \(row.text(1))",
                at: row.integer(2))
        }
    }

    private func ownersOfCards(in tx: any Transaction, _ findings: StoreFindings) throws {
        let tables: [(name: String, key: String)] = [
            ("tokens", "reference"), ("token_decisions", "request_id"), ("token_messages", "id"), ("token_reviews", "id"),
            ("token_actions", "id"), ("provisioning_pass_data", "challenge"), ("token_used_codes", "code"),
            ("token_card_holds", "event"), ("bank_card_events", "event_id"),
        ]
        for (table, key) in tables {
            let lost = try TableRecords.without(
                "provisioning_cards", table: table, columns: ["t.card", "t.\(key)"], on: "o.id = t.card", absent: "id",
                where: ("t.card IS NOT NULL", []),
                in: tx)
            for row in lost {
                findings.add(.unexpected, table: table, key: StoreFindings.key(row.values), expected: "its card", found: "no row")
            }
        }
        let codes = try TableRecords.without(
            "token_decisions", table: "token_used_codes", columns: ["t.card", "t.request_id"],
            on: "o.network = t.network AND o.request_id = t.request_id", absent: "request_id", in: tx)
        for row in codes {
            findings.add(
                .unexpected, table: "token_used_codes", key: StoreFindings.key(row.values), expected: "the decision that used it",
                found: "no row")
        }
    }

    // MARK: What other rows are about

    private func isTold(_ action: String, _ object: String, in tx: any Transaction) throws -> Bool {
        try TableRecords.has("audit_rows", [("chain", "provisioning"), ("action", .text(action)), ("object", .text(object))], in: tx)
    }

    private func last(of actions: [String], _ object: String, in tx: any Transaction) throws -> String? {
        var last: String?
        let names = actions.map { _ in "action = ?" }.joined(separator: " OR ")
        try TableRecords.each(
            "audit_rows", key: ["merchant", "chain", "sequence"], columns: ["action"],
            where: ("chain = 'provisioning' AND object = ? AND (\(names))", [.text(object)] + actions.map(SQLValue.text)), in: tx
        ) { last = try $0.text(3) }
        return last
    }

    private func problem(_ message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        if message.kind == EventPart.outboxKind { return try EventCheck.problem(with: message, in: tx) }
        guard let kind = TokenSender.Kind(rawValue: message.kind), message.id == message.subject else { return "a message of the host" }
        let table = kind == .customerMessage ? "token_messages" : "token_actions"
        return try TableRecords.has(table, [("id", message.subject.sqlValue)], in: tx) ? nil : "the row of \(table) that it carries"
    }

    private func problem(_ stored: IdempotencyCheck.Stored, in tx: any Transaction) throws -> String? {
        if stored.caller == CardEventService.actor { return try problemOfBank(stored, in: tx) }
        guard stored.caller.hasPrefix("network:"), let network = CardScheme(rawValue: String(stored.caller.dropFirst(8))) else {
            return "a network"
        }
        switch stored.operation {
        case DecisionService.operation:
            return try DecisionRecords.find(network: network, requestID: stored.key, in: tx) == nil ? "the decision \(stored.key)" : nil
        case CodeService.operation:
            guard stored.result == nil || stored.result == [], let subject = stored.subject else { return "the empty answer to a code" }
            return try TableRecords.has("token_messages", [("id", subject.sqlValue)], in: tx) ? nil : "the message \(subject)"
        default: return "an operation of networks"
        }
    }
}
