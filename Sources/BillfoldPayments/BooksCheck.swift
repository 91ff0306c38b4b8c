public import BillfoldStorage

/// What the tables that every server has must agree about among themselves: audit chains, the outbox and idempotency keys.
public struct BooksCheck: StoreCheck {
    private let links: AuditChain?

    public init(links: AuditChain?) { self.links = links }

    public func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        try AuditCheck(links: links).run(in: tx, findings) { _, _ in .untold }
        try OutboxCheck.run(in: tx, findings) { _ in nil }
        try OutboxCheck.deadlines(in: tx, findings) { _ in nil }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { _ in nil }
    }
}
