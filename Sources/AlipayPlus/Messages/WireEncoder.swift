import BillfoldJSON

/// Writes a message as the documents have it (reference (d) [D]): every scalar a string, optional members left out, in declared order.
final class WireEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private enum Content {
        case none
        case scalar(JSONValue)
        case object([(key: String, value: WireEncoder)])
        case list([WireEncoder])
    }
    private var content = Content.none

    init(path: [any CodingKey] = []) { codingPath = path }

    var value: JSONValue {
        switch content {
        case .none: .null
        case .scalar(let value): value
        case .object(let members): .object(JSONObject(members.map { .init($0.key, $0.value.value) }))
        case .list(let values): .array(values.map(\.value))
        }
    }

    fileprivate func member(_ key: any CodingKey) -> WireEncoder {
        let inner = WireEncoder(path: codingPath + [key])
        guard case .object(var members) = content else {
            content = .object([(key.stringValue, inner)])
            return inner
        }
        // An enum would hold the list twice while it grows, and copy it each time.
        content = .none
        members.append((key.stringValue, inner))
        content = .object(members)
        return inner
    }

    fileprivate func element() -> WireEncoder {
        let inner = WireEncoder(path: codingPath)
        if case .list(let values) = content { content = .list(values + [inner]) } else { content = .list([inner]) }
        return inner
    }

    fileprivate var count: Int { if case .list(let values) = content { values.count } else { 0 } }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = content {} else { content = .object([]) }
        return KeyedEncodingContainer(WireObjectWriter<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .list = content {} else { content = .list([]) }
        return WireListWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func write(_ text: String) { content = .scalar(.string(text)) }
}

extension WireEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { content = .scalar(.null) }
    func encode(_ value: Bool) throws { write(value ? "true" : "false") }
    func encode(_ value: String) throws { write(value) }
    func encode(_ value: Int) throws { write(String(value)) }
    func encode(_ value: Int8) throws { write(String(value)) }
    func encode(_ value: Int16) throws { write(String(value)) }
    func encode(_ value: Int32) throws { write(String(value)) }
    func encode(_ value: Int64) throws { write(String(value)) }
    func encode(_ value: UInt) throws { write(String(value)) }
    func encode(_ value: UInt8) throws { write(String(value)) }
    func encode(_ value: UInt16) throws { write(String(value)) }
    func encode(_ value: UInt32) throws { write(String(value)) }
    func encode(_ value: UInt64) throws { write(String(value)) }
    // No message has a binary fraction.
    func encode(_ value: Double) throws { throw Self.fraction }
    func encode(_ value: Float) throws { throw Self.fraction }
    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

    private static var fraction: AlipayPlusError { AlipayPlusError(code: .malformedField, reason: "a binary fraction is never written") }
}

private struct WireObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: WireEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try encoder.member(key).encodeNil() }
    mutating func encode(_ value: Bool, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: String, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try encoder.member(key).encode(value) }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: encoder.member(key)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.member(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.member(key).unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

private struct WireListWriter: UnkeyedEncodingContainer {
    let encoder: WireEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    mutating func encodeNil() throws { try encoder.element().encodeNil() }
    mutating func encode(_ value: Bool) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: String) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Int) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Int8) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Int16) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Int32) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Int64) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: UInt) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: UInt8) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: UInt16) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: UInt32) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: UInt64) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Double) throws { try encoder.element().encode(value) }
    mutating func encode(_ value: Float) throws { try encoder.element().encode(value) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: encoder.element()) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder.element() }
}
