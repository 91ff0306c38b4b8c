/// What the customer does with a device, as its page posts it: `{"do":"selectCard","value":"…"}`.
public struct DeviceTap<Action: RawRepresentable<String> & Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    public var action: Action
    /// The chosen identifier, or what was typed.
    public var value: String?

    public init(_ action: Action, _ value: String? = nil) {
        self.action = action
        self.value = value
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action = "do"
        case value
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a tap")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        action = try container.decode(Action.self, forKey: .action)
        value = try container.decodeIfPresent(String.self, forKey: .value)
    }
}

extension DeviceTap: CustomStringConvertible {
    /// Without the value, which may be a PIN or a code.
    public var description: String { action.rawValue }
}
