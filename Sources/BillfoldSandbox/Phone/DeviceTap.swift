/// What the customer does with a device, as its page posts it: `{"do":"selectCard","value":"…"}`.
package struct DeviceTap<Action: RawRepresentable<String> & Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    package var action: Action
    /// The chosen identifier, or what was typed.
    package var value: String?

    package init(_ action: Action, _ value: String? = nil) {
        self.action = action
        self.value = value
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action = "do"
        case value
    }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a tap")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        action = try container.decode(Action.self, forKey: .action)
        value = try container.decodeIfPresent(String.self, forKey: .value)
    }
}

extension DeviceTap: CustomStringConvertible {
    /// Without the value, which may be a PIN or a code.
    package var description: String { action.rawValue }
}
