import Foundation

/// Hands the parts of a tree to a type that reads itself.
struct JSONTreeDecoder: Decoder {
    private let value: JSONValue
    /// The path, put together only when somebody asks: almost every value fits.
    private let container: [any CodingKey]
    private let key: (any CodingKey)?

    init(_ value: JSONValue, in container: [any CodingKey] = [], at key: (any CodingKey)? = nil) {
        self.value = value
        self.container = container
        self.key = key
    }

    var codingPath: [any CodingKey] { container + (key.map { [$0] } ?? []) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // These three read themselves in other ways.
        let special: Any?
        if type == Data.self {
            special = Data(base64Encoded: try text)
        } else if type == Date.self {
            special = JSONScalar.date(try text)
        } else if type == URL.self {
            special = URL(string: try text)
        } else {
            return try Value(from: self)
        }
        guard let value = special as? Value else { throw unfit(type) }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw unfit([String: Any].self) }
        return KeyedDecodingContainer(Members(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw unfit([Any].self) }
        return Elements(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private func unfit(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "the value is of another kind"))
    }

    private var isNull: Bool {
        if case .null = value { true } else { false }
    }

    private var text: String {
        get throws {
            guard case .string(let text) = value else { throw unfit(String.self) }
            return text
        }
    }

    private var bool: Bool {
        get throws {
            guard case .bool(let bool) = value else { throw unfit(Bool.self) }
            return bool
        }
    }

    private func number<Number: LosslessStringConvertible>(_ type: Number.Type) throws -> Number {
        guard case .number(let literal) = value, let number = Number(literal) else { throw unfit(type) }
        return number
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "\(intValue ?? 0)" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: JSONObject
        let codingPath: [any CodingKey]

        var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

        private func found(_ key: some CodingKey) -> JSONTreeDecoder? {
            object[key.stringValue].map { JSONTreeDecoder($0, in: codingPath, at: key) }
        }

        private func member(_ key: some CodingKey) throws -> JSONTreeDecoder {
            guard let found = found(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "the member is missing"))
            }
            return found
        }

        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).text }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).number(type) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).number(type) }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
            guard let found = found(key), !found.isNull else { return nil }
            return try found.text
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            guard let found = found(key), !found.isNull else { return nil }
            return try found.decode(type)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
            try member(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try member(key).unkeyedContainer() }

        private enum SuperKey: String, CodingKey {
            case `super`
        }

        func superDecoder() throws -> any Decoder { try member(SuperKey.super) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let values: [JSONValue]
        let codingPath: [any CodingKey]
        private(set) var currentIndex = 0

        init(values: [JSONValue], codingPath: [any CodingKey]) {
            self.values = values
            self.codingPath = codingPath
        }

        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex >= values.count }

        private mutating func next() throws -> JSONTreeDecoder {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    Any.self, .init(codingPath: codingPath + [Index(intValue: currentIndex)], debugDescription: "the list ends here"))
            }
            defer { currentIndex += 1 }
            return JSONTreeDecoder(values[currentIndex], in: codingPath, at: Index(intValue: currentIndex))
        }

        /// Moves on only behind a null, as the protocol says.
        mutating func decodeNil() throws -> Bool {
            var ahead = self
            guard try ahead.next().isNull else { return false }
            self = ahead
            return true
        }

        mutating func decode(_ type: Bool.Type) throws -> Bool { try next().bool }
        mutating func decode(_ type: String.Type) throws -> String { try next().text }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: JSONTreeDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.isNull }
        func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool }
        func decode(_ type: String.Type) throws -> String { try decoder.text }
        func decode(_ type: Double.Type) throws -> Double { try decoder.number(type) }
        func decode(_ type: Float.Type) throws -> Float { try decoder.number(type) }
        func decode(_ type: Int.Type) throws -> Int { try decoder.number(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try decoder.number(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try decoder.number(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try decoder.number(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try decoder.number(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try decoder.number(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.number(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.number(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.number(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.number(type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
    }
}
