public import BillfoldStorage

/// What is known of a chain's end outside the chain.
public enum KnownChainEnd: Sendable, Hashable {
    /// Nothing: rows cut off at the end leave no trace.
    case untold
    /// Another row holds it.
    case head(AuditHead)
    /// The chain is of something that there is not.
    case ownerMissing
}

/// Walks every audit chain of a store.
///
/// Without the key the order of the rows and their links are compared, which finds what was left out or moved; with it every field.
public struct AuditCheck: Sendable {
    private let links: AuditChain?

    /// - Parameter links: With the key of the chains, where it is given.
    public init(links: AuditChain?) { self.links = links }

    private struct Walk {
        var merchant: String
        var chain: String
        var head = AuditHead.start
        var isBroken = false

        func isOf(_ merchant: String, _ chain: String) -> Bool {
            self.merchant.utf8.elementsEqual(merchant.utf8) && self.chain.utf8.elementsEqual(chain.utf8)
        }
    }

    /// - Parameters:
    ///   - tx: Reads the rows; nothing is written.
    ///   - findings: Collects what is wrong. Of breaks between rows it gets the first of each chain alone.
    ///   - end: Asked once for each chain.
    public func run(
        in tx: any Transaction, _ findings: StoreFindings, end: (_ merchant: MerchantID, _ chain: String) throws -> KnownChainEnd
    ) throws {
        var walk: Walk?
        try TableRecords.each(
            "audit_rows", key: ["merchant", "chain", "sequence"],
            columns: ["at", "actor", "action", "object", "result", "previous", "hash"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(3))
            let read = try findings.read("audit_rows", key: key) {
                (
                    merchant: try row.text(0),
                    row: AuditRow(
                        chain: try row.text(1), sequence: try row.integer(2), at: Timestamp(microseconds: try row.integer(3)),
                        actor: try row.text(4), action: try row.text(5), object: try row.text(6), result: try row.text(7),
                        previous: try row.blob(8), hash: try row.blob(9))
                )
            }
            guard let read else { return }
            if walk?.isOf(read.merchant, read.row.chain) != true {
                if let ended = walk { try finish(ended, into: findings, end: end) }
                walk = Walk(merchant: read.merchant, chain: read.row.chain)
            }
            follow(read.row, in: &walk, key: key, into: findings)
        }
        if let walk { try finish(walk, into: findings, end: end) }
    }

    private func follow(_ row: AuditRow, in walk: inout Walk?, key: String, into findings: StoreFindings) {
        guard let head = walk?.head else { return }
        // The first break is told; what stands behind it follows from it.
        if walk?.isBroken == false {
            let problem: (String, String)? =
                if row.sequence != head.sequence + 1 {
                    ("row \(head.sequence + 1) of the chain", "row \(row.sequence)")
                } else if row.previous != head.hash {
                    ("a row that follows \(StoreFindings.hex(head.hash))", StoreFindings.hex(row.previous))
                } else if let links, row.hash != links.hash(of: row) {
                    ("the hash of what the row says", StoreFindings.hex(row.hash))
                } else {
                    nil
                }
            if let problem {
                findings.add(.chainBroken, table: "audit_rows", key: key, expected: problem.0, found: problem.1)
                walk?.isBroken = true
            }
        }
        walk?.head = AuditHead(sequence: row.sequence, hash: row.hash)
    }

    private func finish(
        _ walk: Walk, into findings: StoreFindings, end: (MerchantID, String) throws -> KnownChainEnd
    ) throws {
        let key = "\(walk.merchant)/\(walk.chain)"
        guard let merchant = try findings.read("audit_rows", key: key, { try MerchantID(walk.merchant) }) else { return }
        switch try end(merchant, walk.chain) {
        case .untold: break
        case .head(let head):
            if head != walk.head {
                findings.add(
                    .chainBroken, table: "audit_rows", key: key,
                    expected: "\(head.sequence) rows that end with \(StoreFindings.hex(head.hash))",
                    found: "\(walk.head.sequence) rows that end with \(StoreFindings.hex(walk.head.hash))")
            }
        case .ownerMissing: findings.add(.unexpected, table: "audit_rows", key: key, expected: "what the chain is of", found: "nothing")
        }
    }
}
