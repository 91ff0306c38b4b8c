/// One thing that can be done with a played phone now, as a refusal lists it.
package struct TapOffer: Sendable, Hashable, Codable {
    /// As a tap's `do` names it.
    package var action: String
    /// What its value may be; nil where it takes none, or any text.
    package var values: [String]?
    /// Set where the value is what somebody types.
    package var isTyped: Bool?

    private enum CodingKeys: String, CodingKey {
        case action = "do"
        case values
        case isTyped = "typed"
    }

    /// - Parameters:
    ///   - action: As a tap's `do` names it.
    ///   - values: What its value may be.
    ///   - isTyped: Whether the value is what somebody types.
    package init(_ action: some RawRepresentable<String>, of values: [String]? = nil, isTyped: Bool = false) {
        self.action = action.rawValue
        self.values = values
        self.isTyped = isTyped ? true : nil
    }

    /// The longest text that somebody types, in bytes.
    static let longest = 64

    func takes(_ value: String?) -> Bool {
        if isTyped == true { return (1...Self.longest).contains(value?.utf8.count ?? 0) }
        guard let values else { return true }
        return value.map { value in values.contains { $0.utf8.elementsEqual(value.utf8) } } ?? false
    }

    /// For a sentence: the action, and what its value may be.
    fileprivate var text: String {
        if isTyped == true { return "\(action) with what is typed" }
        guard let values else { return action }
        return "\(action) with \(values.prefix(8).joined(separator: ", "))\(values.count > 8 ? ", …" : "")"
    }
}

extension SandboxRefusal {
    /// Refuses what the screen does not offer (`not-on-screen`), and says what it offers instead.
    static func notOnScreen(_ action: some RawRepresentable<String>, offers: [TapOffer]) -> Self {
        let instead = offers.isEmpty ? "nothing: it is at work, and its next screen will" : offers.map(\.text).joined(separator: "; ")
        let name = action.rawValue
        let isThere = offers.contains { $0.action == name }
        var refusal = SandboxRefusal(
            code: "not-on-screen",
            reason: "the phone's screen offers no \(name)\(isThere ? " with that value" : "") now. It offers \(instead)", status: 409)
        refusal.offers = offers
        return refusal
    }
}
