import Foundation
import Testing

/// Holds `Sources` to the portable subset of SQL: where SQL may stand, and what it may say.
struct PortableSQLTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Only `…Records` and `…Schema` files, with the extensions that stand beside them, and the storage targets hold SQL.
    static func mayHoldSQL(_ path: String) -> Bool {
        path.contains("/BillfoldStorage") || path.contains(/(Records|Schema)(\+\w+)?\.swift$/)
    }

    /// Words that not every engine has, or that keep state where a second process does not see it, with the reason.
    static let forbidden: [(pattern: String, reason: String)] = [
        (#"\bTRIGGER\b"#, "triggers"), (#"\bCREATE\s+(OR\s+REPLACE\s+)?(FUNCTION|PROCEDURE)\b"#, "logic stored in the engine"),
        (#"\b(LISTEN|NOTIFY)\s"#, "LISTEN and NOTIFY"), (#"pg_(try_)?advisory"#, "advisory locks"),
        (#"\b(TEMP|TEMPORARY)\s+TABLE\b"#, "temporary tables"), (#"\bDEFERRABLE\b"#, "deferrable constraints"),
        (#"\bDO\s+UPDATE\b"#, "engine-specific upserts"), (#"\bINSERT\s+OR\s"#, "engine-specific upserts"),
        (#"\bREPLACE\s+INTO\b"#, "engine-specific upserts"), (#"\bON\s+DUPLICATE\b"#, "engine-specific upserts"),
        (#"\b(AUTOINCREMENT|SERIAL|BIGSERIAL|NEXTVAL|CREATE\s+SEQUENCE)\b"#, "sequences; ids are chosen outside"),
        (#"\bGENERATED\s+(ALWAYS|BY\s+DEFAULT)\b"#, "generated columns"), (#"\b(PRAGMA|ATTACH|VACUUM)\b"#, "settings of an engine"),
        (#"\bSET\s+(SESSION|LOCAL|search_path)\b"#, "settings of a connection"),
        (#"\b(NOW\s*\(|CURRENT_TIMESTAMP|CURRENT_DATE|CURRENT_TIME|datetime\s*\(|strftime\s*\()"#, "the engine's clock"),
        (#"\b(RANDOM|gen_random_uuid|randomblob)\s*\("#, "the engine's randomness"), (#"\S::\w"#, "casts by ::"),
        (#"\b(REAL|DOUBLE|FLOAT|NUMERIC|DECIMAL|MONEY)\b"#, "numbers that are not 64-bit integers"),
        (#"\b(JSON|JSONB|UUID|BOOLEAN|TIMESTAMP|TIMESTAMPTZ|BYTEA|BLOB)\b"#, "types outside BIGINT, TEXT and $BLOB"),
        (#"\b(ILIKE|GLOB)\b"#, "engine-specific matching"), (#"\bFOR\s+(UPDATE|SHARE)\b"#, "row locks, which SQLite does not know"),
        (#"\b(ROWID|CTID)\b"#, "physical row addresses"),
    ]

    static func problems(in source: String, path: String) -> [String] {
        var problems: [String] = []
        // Most files hold none: they need no closer look.
        let verbs = #""\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\s"#
        guard source.range(of: verbs, options: [.regularExpression, .caseInsensitive]) != nil else { return [] }
        for literal in literals(of: source) where looksLikeSQL(literal) {
            if !mayHoldSQL(path) {
                problems.append("\(path): SQL stands outside …Records files: \(literal.prefix(60))")
            }
            // The adapters speak to their own engine about settings and copies.
            if path.contains("/BillfoldStorageSQLite/") || path.contains("/BillfoldStoragePostgreSQL/") { continue }
            let text = literal.replacing("$BLOB", with: "BYTES")
            for (pattern, reason) in forbidden
            where text.range(of: pattern, options: [.regularExpression, .caseInsensitive]) != nil {
                problems.append("\(path): not portable (\(reason)): \(literal.prefix(80))")
            }
        }
        return problems
    }

    /// The text of each string literal, one line or several, without judging escapes inside interpolations.
    static func literals(of source: String) -> [String] {
        let code = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        let pattern = /"""\n([\s\S]*?)"""|"((?:[^"\\\n]|\\.)*)"/
        return code.matches(of: pattern).map { String($0.output.1 ?? $0.output.2 ?? "") }
    }

    static func looksLikeSQL(_ literal: String) -> Bool {
        let pattern =
            /^\s*(SELECT\s.*|INSERT\s+(OR\s+\w+\s+)?INTO\s.*|REPLACE\s+INTO\s.*|UPDATE\s+\S+\s+SET\s.*|DELETE\s+FROM\s.*|CREATE\s+(\w+\s+)?(TABLE|INDEX|TRIGGER|SEQUENCE|FUNCTION)\s.*|ALTER\s+TABLE\s.*|DROP\s+(TABLE|INDEX)\s.*|WITH\s+\w+\s+AS\s.*)/
        return literal.uppercased().prefixMatch(of: pattern) != nil
    }

    @Test func sourcesHoldPortableSQLInItsPlace() throws {
        let sources = Self.root.appendingPathComponent("Sources")
        var files = 0
        var problems: [String] = []
        for case let url as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) ?? .init()
        where url.pathExtension == "swift" {
            files += 1
            problems += Self.problems(
                in: try String(contentsOf: url, encoding: .utf8), path: "/" + url.path.dropFirst(Self.root.path.count + 1))
        }
        #expect(files > 50)
        #expect(problems == [])
    }

    @Test(arguments: [
        ("/Sources/X/PaymentService.swift", #"try t.query("SELECT a FROM b")"#),
        ("/Sources/X/PaymentRecords.swift", #"try t.query("SELECT a FROM b FOR UPDATE")"#),
        ("/Sources/X/PaymentRecords.swift", #"try t.execute("INSERT INTO a (b) VALUES (?) ON CONFLICT (b) DO UPDATE SET c = 1")"#),
        ("/Sources/X/PaymentRecords.swift", #"try t.execute("UPDATE a SET b = now() WHERE c = ?")"#),
        ("/Sources/X/PaymentRecords.swift", #"["CREATE TABLE a (id SERIAL PRIMARY KEY)"]"#),
        ("/Sources/X/PaymentRecords.swift", #"["CREATE TABLE a (amount DOUBLE PRECISION)"]"#),
        ("/Sources/X/PaymentRecords.swift", #"try t.execute("CREATE TEMPORARY TABLE a (id BIGINT)")"#),
        ("/Sources/X/PaymentRecords.swift", "try t.query(\"\"\"\n    SELECT a::TEXT\n    FROM b\n    \"\"\")"),
        ("/Sources/X/Payment+RecordsOf.swift", #"try t.query("SELECT a FROM b")"#),
        ("/Sources/BillfoldStorage/StoreMode.swift", #""CREATE TRIGGER a AFTER INSERT ON b""#),
    ])
    func unportableSQLIsFound(_ path: String, _ source: String) {
        #expect(Self.problems(in: source, path: path).count == 1)
    }

    @Test(arguments: [
        ("/Sources/X/PaymentRecords.swift", #"try t.execute("INSERT INTO a (b, c) VALUES (?, ?) ON CONFLICT DO NOTHING")"#),
        ("/Sources/X/PaymentRecords.swift", #"["CREATE TABLE a (id $BLOB NOT NULL PRIMARY KEY, amount BIGINT NOT NULL)"]"#),
        ("/Sources/X/PaymentRecords+Reading.swift", #"try t.query("SELECT a FROM b")"#),
        ("/Sources/X/PaymentService.swift", #"throw Refusal("Update your card, or select another one")"#),
        ("/Sources/X/PaymentService.swift", "// \"SELECT a FROM b FOR UPDATE\""),
    ])
    func portableSQLAndProseAreLeftAlone(_ path: String, _ source: String) {
        #expect(Self.problems(in: source, path: path) == [])
    }
}
