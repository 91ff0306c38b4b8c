package import ApplePay

/// One rule of a bank: looks at what is known of a request and says what it objects to.
///
/// A rule holds its own thresholds and knows no other rule; ``DecisionPolicy`` lists them and counts their votes.
package protocol DecisionRule: Sendable {
    /// Nothing, where the request may stay green as far as this rule is concerned.
    func objections(to request: DecisionInputs) -> [DecisionObjection]
}

/// One rule's vote against green.
package struct DecisionObjection: Sendable, Hashable, Codable {
    package var colour: DecisionColour
    package var reason: DecisionReason

    package init(_ colour: DecisionColour, _ reason: DecisionReason) {
        self.colour = colour
        self.reason = reason
    }
}
