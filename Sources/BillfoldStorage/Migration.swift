/// One step of a component's schema.
///
/// Servers of two versions run on one store while an installation is upgraded, so a step comes in two halves. The first expands:
/// it adds what the new version needs and leaves what the old one uses (``isAdditive``), and names the oldest migration that a
/// program must know to go on beside it. The second contracts, in a later release, when no old server is left; it names nobody,
/// and programs that do not know it are refused.
///
/// In `statements` the word `$BLOB` stands for the engine's byte-string type; everything else is portable SQL.
public struct Migration: Sendable, Hashable {
    /// Never changed once released: `payments-0001-orders`.
    public var name: String
    public var statements: [String]
    /// The oldest migration of the component that a program must know to run on a store that has this one; `nil` for this one.
    public var runsWith: String?

    public init(_ name: String, _ statements: [String], runsWith: String? = nil) {
        self.name = name
        self.statements = statements
        self.runsWith = runsWith
    }

    /// Whether a program that does not know this migration can go on reading and writing: new tables and indexes, and columns
    /// that an older program's rows may lack.
    public var isAdditive: Bool {
        statements.allSatisfy { statement in
            let words = statement.uppercased().split(whereSeparator: \.isWhitespace).map(String.init)
            switch (words.first, words.dropFirst().first) {
            case ("CREATE", "TABLE"), ("CREATE", "INDEX"): return true
            case ("ALTER", "TABLE"):
                guard words.count > 4, words[3] == "ADD", words[4] == "COLUMN" else { return false }
                let mayBeAbsent = words.contains("DEFAULT") || !words.joined(separator: " ").contains("NOT NULL")
                return mayBeAbsent && !words.contains("UNIQUE")
            default: return false
            }
        }
    }
}
