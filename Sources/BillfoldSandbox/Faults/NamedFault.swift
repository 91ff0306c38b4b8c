/// A fault that a party can be told to have, by its word. Parties share one vocabulary: what befalls a message is named by the message and
/// what happens to it (`request-lost`, `reply-late`, `notification-doubled`), and a word means the same wherever it is taken. The gateway of
/// cards takes a ``FaultPlan``, whose dials have figures; the console names its choices by the same words.
package protocol NamedFault: RawRepresentable, Sendable, Hashable, Codable, CaseIterable where RawValue == String {
    /// Words of earlier programs. They are still read, from requests and from stores, and never written.
    static var earlierWords: [String: Self] { get }
}

extension NamedFault {
    /// The fault with this word; nil where the party has none of it.
    package init?(word: String) {
        guard let fault = Self(rawValue: word) ?? Self.earlierWords[word] else { return nil }
        self = fault
    }

    package init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        guard let fault = Self(word: word) else {
            let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a fault is one of \(words), not '\(word)'"))
        }
        self = fault
    }
}
