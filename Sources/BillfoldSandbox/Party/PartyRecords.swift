import BillfoldStorage
import Foundation

/// Something that a party keeps, under an id that is its own kind's.
protocol PartyDocument: Codable, Sendable {
    static var kind: String { get }
    var id: String { get }
}

/// A party's store: documents by kind and id, each written whole. Several writes that belong together share a transaction.
enum PartyRecords {
    static let migrations = [
        Migration(
            "sandboxparty-0001-documents",
            [
                """
                CREATE TABLE party_document (kind TEXT NOT NULL, id TEXT NOT NULL, due_at BIGINT, document TEXT NOT NULL,
                PRIMARY KEY (kind, id))
                """,
                "CREATE INDEX party_document_due ON party_document (kind, due_at)",
            ])
    ]

    /// Writes a document, in place of the one with its id if there is one.
    ///
    /// - Parameter due: When ``due(_:at:limit:in:)`` finds it, on the store's clock.
    static func put(_ document: some PartyDocument, due: Timestamp? = nil, in transaction: any Transaction) throws {
        let kind = type(of: document).kind
        try transaction.execute("DELETE FROM party_document WHERE kind = ? AND id = ?", [.text(kind), .text(document.id)])
        try transaction.execute(
            "INSERT INTO party_document (kind, id, due_at, document) VALUES (?, ?, ?, ?)",
            [.text(kind), .text(document.id), .optional(due), .text(try UnionPayGatewayRecords.json(document))])
    }

    static func find<Document: PartyDocument>(_ type: Document.Type, _ id: String, in transaction: any Transaction) throws -> Document? {
        try transaction.query("SELECT document FROM party_document WHERE kind = ? AND id = ?", [.text(type.kind), .text(id)]).first
            .map { try UnionPayGatewayRecords.decode(type, $0.text(0)) }
    }

    static func all<Document: PartyDocument>(_ type: Document.Type, in transaction: any Transaction) throws -> [Document] {
        try transaction.query("SELECT document FROM party_document WHERE kind = ? ORDER BY id", [.text(type.kind)])
            .map { try UnionPayGatewayRecords.decode(type, $0.text(0)) }
    }

    /// What is due at an instant, the longest first.
    static func due<Document: PartyDocument>(
        _ type: Document.Type, at instant: Timestamp, limit: Int64, in transaction: any Transaction
    ) throws -> [Document] {
        try transaction.query(
            "SELECT document FROM party_document WHERE kind = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?",
            [.text(type.kind), .integer(instant.microseconds), .integer(limit)]
        ).map { try UnionPayGatewayRecords.decode(type, $0.text(0)) }
    }

    static func remove<Document: PartyDocument>(_ type: Document.Type, _ id: String, in transaction: any Transaction) throws {
        try transaction.execute("DELETE FROM party_document WHERE kind = ? AND id = ?", [.text(type.kind), .text(id)])
    }
}
