import Foundation

/// Builds the tree of a value. What a nested container or a super-encoder adds later belongs to it, which is why it is a class.
final class JSONTreeEncoder: Encoder {
    private enum Kind {
        case single(JSONValue)
        case object
        case array
    }

    /// A value that encodes nothing is an empty object, as Foundation has it for structures without members.
    private var kind = Kind.object
    private var members: [JSONObject.Member] = []
    private var elements: [JSONValue] = []
    /// Containers that were handed out, and the member that each is to be; until then a null stands there.
    private var nestedMembers: [(place: Int, encoder: JSONTreeEncoder)] = []
    /// The same of elements.
    private var nestedElements: [(place: Int, encoder: JSONTreeEncoder)] = []

    /// Whether numbers and booleans are written as texts.
    private let writesTexts: Bool

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(writesTexts: Bool) { self.writesTexts = writesTexts }

    static func tree<Value: Encodable>(of value: Value, scalarsAsTexts writesTexts: Bool = false) throws -> JSONValue {
        if let text = JSONScalar.text(value) { return .string(text) }
        let encoder = JSONTreeEncoder(writesTexts: writesTexts)
        try value.encode(to: encoder)
        return encoder.value
    }

    private func number(_ literal: String) -> JSONValue { writesTexts ? .string(literal) : .number(literal) }
    private func bool(_ flag: Bool) -> JSONValue { writesTexts ? .string(flag ? "true" : "false") : .bool(flag) }

    private var value: JSONValue {
        switch kind {
        case .single(let value): return value
        case .object:
            var members = members
            for (place, encoder) in nestedMembers { members[place].value = encoder.value }
            return .object(JSONObject(members))
        case .array:
            var elements = elements
            for (place, encoder) in nestedElements { elements[place] = encoder.value }
            return .array(elements)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        kind = .object
        members.reserveCapacity(8)
        return KeyedEncodingContainer(Members<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        kind = .array
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private func tree(of value: some Encodable) throws -> JSONValue { try Self.tree(of: value, scalarsAsTexts: writesTexts) }
    private func add(_ value: JSONValue, _ key: some CodingKey) { members.append(.init(key.stringValue, value)) }

    private func nested(_ key: some CodingKey) -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder(writesTexts: writesTexts)
        nestedMembers.append((members.count, encoder))
        add(.null, key)
        return encoder
    }

    private func nested() -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder(writesTexts: writesTexts)
        nestedElements.append((elements.count, encoder))
        elements.append(.null)
        return encoder
    }

    private enum SuperKey: String, CodingKey {
        case `super`
    }

    /// Other integers and fractions come through the generic method, which leads to ``Single``.
    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.add(.null, key) }
        func encode(_ value: Bool, forKey key: Key) { encoder.add(encoder.bool(value), key) }
        func encode(_ value: String, forKey key: Key) { encoder.add(.string(value), key) }
        func encode(_ value: Int, forKey key: Key) { encoder.add(encoder.number(String(value)), key) }
        func encode(_ value: Int64, forKey key: Key) { encoder.add(encoder.number(String(value)), key) }
        func encode(_ value: some Encodable, forKey key: Key) throws { encoder.add(try encoder.tree(of: value), key) }

        /// The protocol's own goes through a witness for each part of the question.
        func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
        func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
            encoder.nested(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.nested(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder.nested(SuperKey.super) }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.elements.count }

        func encodeNil() { encoder.elements.append(.null) }
        func encode(_ value: Bool) { encoder.elements.append(encoder.bool(value)) }
        func encode(_ value: String) { encoder.elements.append(.string(value)) }
        func encode(_ value: some Encodable) throws { encoder.elements.append(try encoder.tree(of: value)) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.nested().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nested().unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder.nested() }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONTreeEncoder
        var codingPath: [any CodingKey] { [] }

        private func set(_ value: JSONValue) { encoder.kind = .single(value) }
        private func set(_ number: some FixedWidthInteger) { set(encoder.number(String(number))) }

        private func set(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
            set(encoder.number(try JSONScalar.number(number)))
        }

        func encodeNil() { set(.null) }
        func encode(_ value: Bool) { set(encoder.bool(value)) }
        func encode(_ value: String) { set(.string(value)) }
        func encode(_ value: Double) throws { try set(value) }
        func encode(_ value: Float) throws { try set(value) }
        func encode(_ value: Int) { set(value) }
        func encode(_ value: Int8) { set(value) }
        func encode(_ value: Int16) { set(value) }
        func encode(_ value: Int32) { set(value) }
        func encode(_ value: Int64) { set(value) }
        func encode(_ value: UInt) { set(value) }
        func encode(_ value: UInt8) { set(value) }
        func encode(_ value: UInt16) { set(value) }
        func encode(_ value: UInt32) { set(value) }
        func encode(_ value: UInt64) { set(value) }
        func encode(_ value: some Encodable) throws { set(try encoder.tree(of: value)) }
    }
}
