public import AlipayPlusValues
public import BillfoldJSON

/// A body, or an object inside of one, in the members' own names.
///
/// Reading is tolerant of what real clients send (alipay-plus.md#encoding [O]): numbers and booleans for their texts, `null` for absence,
/// members that nobody asks for. Writing is strict: every scalar a string, absent members left out, members in declared order. Whether a
/// message keeps the rules of its scenario is said by the types in `Rules/`.
public protocol WireMessage: Codable, Sendable, Hashable {}

extension WireMessage {
    /// Reads a body of at most 64 KiB. `malformed-json`, `duplicate-key`, `too-large`, `missing-field` and `malformed-field`, which name
    /// the member.
    public init(body: [UInt8]) throws(AlipayPlusError) { try self.init(json: JSONObject(wire: body)) }

    /// Reads JSON that was read already. `missing-field`, `malformed-field`.
    public init(json: JSONObject) throws(AlipayPlusError) { try self.init(json: json, checks: nil) }

    /// - Parameter checks: Takes down what the members break.
    init(json: JSONObject, checks: (any MemberInspector)?) throws(AlipayPlusError) {
        do {
            try self.init(from: WireDecoder(.object(json), checks: checks))
        } catch let error as AlipayPlusError {
            throw error
        } catch {
            // A type's own reading, such as that of an enumeration.
            throw AlipayPlusError(code: .malformedField, reason: "a member has a value that it may not have")
        }
    }

    public var json: JSONValue {
        // Nothing that a message holds refuses to be written.
        (try? JSONValue(encoding: self, scalarsAsTexts: true)) ?? .null
    }

    /// The body as compact JSON.
    public var body: [UInt8] {
        // As above.
        (try? JSONDocument.encode(self, sortsKeys: false, scalarsAsTexts: true)) ?? Array("null".utf8)
    }
}

extension JSONObject {
    /// Reads a body of at most 64 KiB. `malformed-json`, `duplicate-key`, `too-large`.
    init(wire body: [UInt8]) throws(AlipayPlusError) {
        do throws(JSONError) {
            self = try JSONReader.readObject(body)
        } catch {
            let code: AlipayPlusError.Code =
                switch error.code {
                case .malformed, .tooDeep: .malformedJSON
                case .duplicateKey: .duplicateKey
                case .tooLarge: .tooLarge
                }
            throw AlipayPlusError(code: code, reason: "the body: \(error.reason)")
        }
    }
}

/// A text with known values, which may also be one that nobody knows yet.
public protocol WireName: WireMessage, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text as it is on the wire.
    var rawValue: String { get }
    /// Takes any text, known or not.
    init(rawValue: String)
}

extension WireName {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    public init(from decoder: any Decoder) throws { self.init(rawValue: try decoder.singleValueContainer().decode(String.self)) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
    public var description: String { rawValue }
}
