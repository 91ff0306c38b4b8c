import AlipayPlusValues
import BillfoldJSON

/// Reads a message from JSON as real clients write it (alipay-plus.md#encoding [O]): numbers and booleans stand for their texts and the
/// other way round, `null` for absence, and members that nobody asks for are passed over. Errors name the member.
struct WireDecoder: Decoder {
    let value: JSONValue
    /// The path, put together only when somebody asks: almost every value fits.
    private let container: [any CodingKey]
    private let key: (any CodingKey)?
    /// Takes down what members break while they are read; nil where nobody wants to know.
    let checks: (any MemberInspector)?

    init(_ value: JSONValue, in container: [any CodingKey] = [], at key: (any CodingKey)? = nil, checks: (any MemberInspector)? = nil) {
        self.value = value
        self.container = container
        self.key = key
        self.checks = checks
    }

    var codingPath: [any CodingKey] { container + (key.map { [$0] } ?? []) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func name(_ path: [any CodingKey]) -> String { path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".") }

    func refused(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .malformedField, reason: "\(Self.name(codingPath)) \(problem)")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw refused("is no object") }
        return KeyedDecodingContainer(WireObjectReader<Key>(object: object, codingPath: codingPath, checks: checks))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let values = value.array else { throw refused("is no list") }
        return WireListReader(values: values, codingPath: codingPath, checks: checks)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension WireDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { if case .null = value { true } else { false } }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw refused("is neither true nor false")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        let text: String
        switch value {
        case .bool(let flag): text = flag ? "true" : "false"
        case .string(let string), .number(let string): text = string
        default: throw refused("is no text")
        }
        checks?.look(at: text, in: container, key)
        return text
    }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        guard let text = value.scalar, text != "-0", let number = Number(text), String(number) == text else {
            throw refused("is no whole number")
        }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    // No message has a binary fraction.
    func decode(_ type: Double.Type) throws -> Double { throw refused("is a fraction") }
    func decode(_ type: Float.Type) throws -> Float { throw refused("is a fraction") }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

struct WireObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let codingPath: [any CodingKey]
    let checks: (any MemberInspector)?

    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }
    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    /// Nil where the member is absent or `null`.
    private func found(_ key: Key) -> WireDecoder? {
        guard let value = object[key.stringValue] else { return nil }
        if case .null = value { return nil }
        guard let checks else { return WireDecoder(value, in: codingPath, at: key) }
        // An amount is looked at as a whole.
        let isAmount = checks.looked(atAmount: value, in: codingPath, key)
        return WireDecoder(value, in: codingPath, at: key, checks: isAmount ? nil : checks)
    }

    private func decoder(_ key: Key) throws -> WireDecoder {
        guard let found = found(key) else {
            throw AlipayPlusError(code: .missingField, reason: "\(WireDecoder.name(codingPath + [key])) is missing")
        }
        return found
    }

    func decodeNil(forKey key: Key) -> Bool { if case .null? = object[key.stringValue] { true } else { false } }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try Value(from: decoder(key)) }
    // What the protocol does by itself looks for the member three times.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try found(key)?.decode(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try found(key)?.decode(type) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try found(key).map { try Value(from: $0) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { WireDecoder(.object(object), in: codingPath, checks: checks) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

struct WireListReader: UnkeyedDecodingContainer {
    let values: [JSONValue]
    let codingPath: [any CodingKey]
    let checks: (any MemberInspector)?
    var currentIndex = 0

    struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { String(intValue ?? 0) }
        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    init(values: [JSONValue], codingPath: [any CodingKey], checks: (any MemberInspector)?) {
        self.values = values
        self.codingPath = codingPath
        self.checks = checks
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    private mutating func next() throws -> WireDecoder {
        let index = Index(intValue: currentIndex)
        guard !isAtEnd else {
            throw AlipayPlusError(code: .missingField, reason: "\(WireDecoder.name(codingPath + [index])) is missing")
        }
        defer { currentIndex += 1 }
        return WireDecoder(values[currentIndex], in: codingPath, at: index, checks: checks)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, case .null = values[currentIndex] else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next().decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next().decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next().decode(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().decode(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().decode(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().decode(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().decode(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next().decode(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().decode(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().decode(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().decode(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next().decode(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next().decode(type) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: next()) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
