import BillfoldStoragePostgreSQL
import Testing

struct PlaceholderRewriterTests {
    @Test(arguments: [
        ("SELECT ?", "SELECT $1", 1),
        ("SELECT '?' || ?, \"a?\" FROM t WHERE a = ?", "SELECT '?' || $1, \"a?\" FROM t WHERE a = $2", 2),
        ("SELECT 'it''s ?' , ?", "SELECT 'it''s ?' , $1", 1),
        ("SELECT ? -- why?\n, ?", "SELECT $1 -- why?\n, $2", 2),
        ("SELECT /* ? /* ? */ ? */ ?", "SELECT /* ? /* ? */ ? */ $1", 1),
        ("SELECT 'open ?", "SELECT 'open ?", 0),
        ("?????????? ?", "$1$2$3$4$5$6$7$8$9$10 $11", 11),
    ])
    func questionMarksOutsideQuotesAreNumbered(_ sql: String, _ expected: String, _ count: Int) {
        let rewritten = PlaceholderRewriter.rewrite(sql)
        #expect(rewritten.sql == expected)
        #expect(rewritten.placeholders == count)
    }
}
