import Foundation

/// What a `db` command has to say, for people and for programs.
struct DatabaseAnswer {
    var text: String
    var object: [String: Any]
    var isGood = true

    static func encode(_ object: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
