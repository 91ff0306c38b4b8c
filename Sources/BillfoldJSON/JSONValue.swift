/// A JSON value that keeps what the bytes said: members in their order, numbers as they were written, and where the value of
/// every member stands, because signatures cover those bytes and no others.
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

    /// The members of an object.
    public var members: [JSONObject.Member]? { object?.members }

    /// The text of a string, or of a number as it was written: partners send `"0.01"` and `0.01` alike.
    public var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    /// A member of an object; nil for every other value.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// An object of texts in the given order, without the members that have no value.
    public static func texts(_ members: KeyValuePairs<String, String?>) -> JSONValue {
        .object(JSONObject(members.compactMap { member in member.value.map { .init(member.key, .string($0)) } }))
    }

    /// A value of a Swift type as a tree: members in the order in which the type encodes them, absent optionals left out.
    ///
    /// - Parameters:
    ///   - value: What is encoded.
    ///   - scalarsAsTexts: Numbers and booleans become texts, as some partners write them.
    /// - Throws: `EncodingError` for a number that is none, and for what the value itself throws.
    public init(encoding value: some Encodable, scalarsAsTexts: Bool = false) throws {
        self = try JSONTreeEncoder.tree(of: value, scalarsAsTexts: scalarsAsTexts)
    }

    /// Compact JSON, as ``JSONWriter`` writes it.
    public var text: String { String(decoding: JSONWriter.write(self), as: UTF8.self) }

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
    /// A key with its value.
    public struct Member: Sendable {
        public var key: String
        public var value: JSONValue
        /// The value's bytes in the source, its braces or quotation marks included; empty for one that was built in memory.
        public var range: Range<Int>

        public init(_ key: String, _ value: JSONValue, range: Range<Int> = 0..<0) {
            self.key = key
            self.value = value
            self.range = range
        }
    }

    public var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    /// Finds a member by the exact bytes of its key: no Unicode equivalence, no letter case.
    public func member(_ key: String) -> Member? { members.first { ExactText.equal($0.key, key) } }

    /// The value of ``member(_:)``. A value that is set keeps the member's place, or goes to the end; nil removes it.
    public subscript(key: String) -> JSONValue? {
        get { member(key)?.value }
        set {
            let index = members.firstIndex { ExactText.equal($0.key, key) }
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

extension JSONObject: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Member...) { self.init(elements) }
}
