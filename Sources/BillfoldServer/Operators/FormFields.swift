import Foundation

/// The fields of an `application/x-www-form-urlencoded` body in UTF-8. A name that occurs twice has no value: a reader and a
/// checker could otherwise disagree on which one counts.
package struct FormFields: Sendable {
    private var values: [String: String?] = [:]

    package init(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : "") else { continue }
            values[name] = values.keys.contains(name) ? .some(nil) : value
        }
    }

    /// Every name, also of what has no value.
    package var names: Set<String> { Set(values.keys) }

    package subscript(_ name: String) -> String? { values[name] ?? nil }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
