/// A JSON value that keeps what the bytes said: members in their order, numbers as they were written.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The literal as written: `1`, `1.0` and `1e0` stay different texts.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number as an integer, or nil: fractions, exponents, `-0` and values beyond 64 bits are not integers here.
    public var integer: Int64? {
        guard case .number(let text) = self, text != "-0" else { return nil }
        return Int64(text)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

/// A JSON object with its members in source order. No key occurs twice: the reader refuses such bytes.
public struct JSONObject: Sendable {
    public struct Member: Sendable {
        public var key: String
        public var value: JSONValue

        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    public var members: [Member]
    /// Where the object's bytes lie in the source, braces included; empty for an object that was built in memory.
    public var sourceRange: Range<Int>

    public init(_ members: [Member] = [], sourceRange: Range<Int> = 0..<0) {
        self.members = members
        self.sourceRange = sourceRange
    }

    /// Finds a member by the exact bytes of its key: no Unicode equivalence, no letter case.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
        set {
            let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key, value))
            case (nil, nil): break
            }
        }
    }

    /// Members whose keys are not in `known`, in source order.
    public func members(besides known: Set<String>) -> [Member] { members.filter { !known.contains($0.key) } }
}
