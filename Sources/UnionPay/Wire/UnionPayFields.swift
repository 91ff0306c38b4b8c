import BillfoldJSON

/// The fields of one message: unique keys, unencoded values, in the order in which they came or were set.
///
/// Order does not matter to the protocol (whatever is signed is sorted first); it is kept so that a message can be shown
/// as it arrived.
public struct UnionPayFields: Sendable, Hashable {
    /// One field.
    public struct Entry: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var entries: [Entry]

    public init() { entries = [] }

    /// Takes entries over, and refuses a key that occurs twice (`duplicate-field`) or is empty (`malformed-body`).
    public init(_ entries: [Entry]) throws(UnionPayError) {
        var seen = Set<ExactText>(minimumCapacity: entries.count)
        for entry in entries {
            guard !entry.name.isEmpty else { throw UnionPayError(code: .malformedBody, reason: "a field has no name") }
            guard seen.insert(ExactText(entry.name)).inserted else {
                throw UnionPayError(code: .duplicateField, reason: "the field \(entry.name) occurs twice")
            }
        }
        self.entries = entries
    }

    public init(_ values: [String: String]) {
        entries = values.map { Entry($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// The value of a field. Setting replaces it in place, or appends it; setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get { entries.first { ExactText.equal($0.name, name) }?.value }
        set {
            let index = entries.firstIndex { ExactText.equal($0.name, name) }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(name, value))
            case (nil, nil): break
            }
        }
    }

    public var names: [String] { entries.map(\.name) }

    public var dictionary: [String: String] {
        Dictionary(entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entries in the order of the keys' bytes: upper case before lower, `accNo` before `accessType`.
    public var sorted: [Entry] {
        // The language compares texts of ASCII by their bytes, and several times as fast.
        guard entries.allSatisfy({ $0.name.utf8.allSatisfy { $0 < 0x80 } }) else {
            return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// The value of a field that must be there and hold something, or `missing-field`.
    public func required(_ name: String) throws(UnionPayError) -> String {
        guard let value = self[name], !value.isEmpty else {
            throw UnionPayError(code: .missingField, reason: "the field \(name) is missing")
        }
        return value
    }

    /// The value of a field, with an empty one taken as absent.
    public func optional(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value
    }

    /// Requires a field to hold exactly this value (`invalid-field`).
    public func require(_ name: String, _ value: String) throws(UnionPayError) {
        let found = try required(name)
        guard found == value else {
            throw UnionPayError(code: .invalidField, reason: "the field \(name) is not \(value)")
        }
    }

    /// As a request is signed and sent: every value without surrounding blanks and control characters, empty ones left out.
    public var normalized: UnionPayFields {
        var result = UnionPayFields()
        result.entries = entries.compactMap { entry in
            let value = Self.trimmed(entry.value)
            return value.isEmpty ? nil : Entry(entry.name, value)
        }
        return result
    }

    /// Removes what is at or below U+0020 from both ends, as the owner's SDK does; other Unicode white space stays.
    private static func trimmed(_ value: String) -> String {
        let scalars = value.unicodeScalars
        guard let first = scalars.firstIndex(where: { $0.value > 0x20 }),
            let last = scalars.lastIndex(where: { $0.value > 0x20 })
        else { return "" }
        return String(scalars[first...last])
    }
}

extension UnionPayFields: ExpressibleByDictionaryLiteral {
    /// A literal with a repeated key keeps the first.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements where self[name] == nil { self[name] = value }
    }
}
