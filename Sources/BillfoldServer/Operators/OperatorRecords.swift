import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldStorage
import Foundation

/// The rows behind operators, their sessions and their approvals. Global to an installation, so no shard key.
package enum OperatorRecords {
    package static let migrations = [
        Migration(
            "server-0001-operators",
            [
                """
                CREATE TABLE operators (
                    name TEXT NOT NULL PRIMARY KEY, password TEXT NOT NULL, roles TEXT NOT NULL, created_at BIGINT NOT NULL,
                    disabled_at BIGINT)
                """,
                """
                CREATE TABLE operator_sessions (
                    token_hash $BLOB NOT NULL PRIMARY KEY, operator TEXT NOT NULL, csrf_token TEXT NOT NULL, created_at BIGINT NOT NULL,
                    used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)
                """,
                """
                CREATE TABLE operator_approvals (
                    id $BLOB NOT NULL PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL,
                    requested_by TEXT NOT NULL, requested_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, state TEXT NOT NULL,
                    decided_by TEXT, decided_at BIGINT, outcome TEXT)
                """,
                "CREATE INDEX operator_approvals_by_state ON operator_approvals (state, requested_at)",
            ]),
        Migration("server-0002-approval-lines", ["ALTER TABLE operator_approvals ADD COLUMN lines $BLOB"]),
    ]

    // MARK: Operators

    struct StoredOperator {
        var name: String
        var password: String
        var roles: Set<OperatorRole>
        var isDisabled: Bool
    }

    static func insertOperator(
        _ name: String, password: PasswordHash, roles: Set<OperatorRole>, at: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            "INSERT INTO operators (name, password, roles, created_at, disabled_at) VALUES (?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
            [.text(name), .text(password.text), .text(text(roles)), .integer(at.microseconds)]) == 1
    }

    static func operatorCount(in tx: any Transaction) throws -> Int64 {
        try tx.query("SELECT COUNT(*) FROM operators").first?.integer(0) ?? 0
    }

    static func storedOperator(_ name: String, in tx: any Transaction) throws -> StoredOperator? {
        try tx.query("SELECT name, password, roles, disabled_at FROM operators WHERE name = ?", [.text(name)]).first.map { row in
            StoredOperator(
                name: try row.text(0), password: try row.text(1), roles: roles(try row.text(2)),
                isDisabled: try row.optionalInteger(3) != nil)
        }
    }

    static func disable(_ name: String, at: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute("DELETE FROM operator_sessions WHERE operator = ?", [.text(name)])
        return try tx.execute(
            "UPDATE operators SET disabled_at = ? WHERE name = ? AND disabled_at IS NULL", [.integer(at.microseconds), .text(name)]) == 1
    }

    /// Stores a new password, ends the sessions that the old one began, and takes a disabling back.
    static func setPassword(_ password: PasswordHash, of name: String, in tx: any Transaction) throws -> Bool {
        try tx.execute("DELETE FROM operator_sessions WHERE operator = ?", [.text(name)])
        return try tx.execute(
            "UPDATE operators SET password = ?, disabled_at = NULL WHERE name = ?", [.text(password.text), .text(name)]) == 1
    }

    static func accounts(in tx: any Transaction) throws -> [OperatorAccount] {
        try tx.query("SELECT name, roles, created_at, disabled_at FROM operators ORDER BY name").map { row in
            OperatorAccount(
                name: try row.text(0), roles: roles(try row.text(1)), createdAt: Timestamp(microseconds: try row.integer(2)),
                disabledAt: try row.optionalTimestamp(3))
        }
    }

    // MARK: Sessions

    static func insertSession(_ session: OperatorSession, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO operator_sessions (token_hash, operator, csrf_token, created_at, used_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(session.tokenHash), .text(session.name), .text(session.csrfToken), .integer(session.createdAt.microseconds),
                .integer(session.createdAt.microseconds), .integer(session.expiresAt.microseconds),
            ])
    }

    /// The session with its operator's present roles: a role taken away works at once.
    static func session(_ tokenHash: [UInt8], in tx: any Transaction) throws -> (OperatorSession, usedAt: Timestamp)? {
        let rows = try tx.query(
            """
            SELECT s.operator, s.csrf_token, s.created_at, s.used_at, s.expires_at, o.roles FROM operator_sessions s
            JOIN operators o ON o.name = s.operator WHERE s.token_hash = ? AND o.disabled_at IS NULL
            """, [.blob(tokenHash)])
        return try rows.first.map { row in
            let session = OperatorSession(
                tokenHash: tokenHash, name: try row.text(0), roles: roles(try row.text(5)), csrfToken: try row.text(1),
                createdAt: Timestamp(microseconds: try row.integer(2)), expiresAt: Timestamp(microseconds: try row.integer(4)))
            return (session, Timestamp(microseconds: try row.integer(3)))
        }
    }

    static func touch(_ tokenHash: [UInt8], at: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE operator_sessions SET used_at = ? WHERE token_hash = ?", [.integer(at.microseconds), .blob(tokenHash)])
    }

    static func deleteSession(_ tokenHash: [UInt8], in tx: any Transaction) throws {
        try tx.execute("DELETE FROM operator_sessions WHERE token_hash = ?", [.blob(tokenHash)])
    }

    static func deleteSessions(expiredBy now: Timestamp, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM operator_sessions WHERE expires_at <= ?", [.integer(now.microseconds)])
    }

    // MARK: Approvals

    static func insertApproval(_ request: ApprovalRequest, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO operator_approvals (id, kind, subject, detail, lines, requested_by, requested_at, expires_at, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(request.id.bytes), .text(request.kind), .text(request.subject), .text(request.detail),
                .blob(try JSONDocument.encode(request.lines)), .text(request.requestedBy),
                .integer(request.requestedAt.microseconds), .integer(request.expiresAt.microseconds), .text(request.state.rawValue),
            ])
    }

    static func approval(_ id: ApprovalRequest.ID, in tx: any Transaction) throws -> ApprovalRequest? {
        try tx.query("SELECT \(approvalColumns) FROM operator_approvals WHERE id = ?", [.blob(id.bytes)]).first.map(approval)
    }

    static func approvals(in state: ApprovalRequest.State, limit: Int, in tx: any Transaction) throws -> [ApprovalRequest] {
        try tx.query(
            "SELECT \(approvalColumns) FROM operator_approvals WHERE state = ? ORDER BY requested_at DESC LIMIT ?",
            [.text(state.rawValue), .integer(Int64(limit))]
        ).map(approval)
    }

    /// Moves a request on, unless somebody else did first.
    static func move(
        _ id: ApprovalRequest.ID, from old: ApprovalRequest.State, to new: ApprovalRequest.State, by name: String?, at: Timestamp,
        outcome: String? = nil, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            UPDATE operator_approvals SET state = ?, decided_by = COALESCE(?, decided_by), decided_at = COALESCE(decided_at, ?), outcome = ?
            WHERE id = ? AND state = ?
            """,
            [
                .text(new.rawValue), .optional(name), .integer(at.microseconds), .optional(outcome),
                .blob(id.bytes), .text(old.rawValue),
            ]) == 1
    }

    private static let approvalColumns =
        "id, kind, subject, detail, requested_by, requested_at, expires_at, state, decided_by, decided_at, outcome, lines"

    private static func approval(_ row: Row) throws -> ApprovalRequest {
        guard let state = ApprovalRequest.State(rawValue: try row.text(7)) else {
            throw StorageError(code: .unexpectedValue, reason: "an approval has a state that this program does not know")
        }
        return ApprovalRequest(
            id: ApprovalRequest.ID(bytes: try row.blob(0)), kind: try row.text(1), subject: try row.text(2), detail: try row.text(3),
            lines: try row.optionalBlob(11).map { try JSONDocument.decode([ApprovalAction.Line].self, $0) } ?? [],
            requestedBy: try row.text(4), requestedAt: Timestamp(microseconds: try row.integer(5)),
            expiresAt: Timestamp(microseconds: try row.integer(6)), state: state, decidedBy: try row.optionalText(8),
            decidedAt: try row.optionalTimestamp(9), outcome: try row.optionalText(10))
    }

    private static func text(_ roles: Set<OperatorRole>) -> String { roles.map(\.rawValue).sorted().joined(separator: ",") }

    private static func roles(_ text: String) -> Set<OperatorRole> {
        Set(text.split(separator: ",").compactMap { OperatorRole(rawValue: String($0)) })
    }
}
