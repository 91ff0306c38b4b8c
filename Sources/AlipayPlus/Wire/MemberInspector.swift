import BillfoldJSON

/// Looks at the members of a message while they are read.
protocol MemberInspector: AnyObject {
    /// Looks at a text.
    func look(at text: String, in path: [any CodingKey], _ key: (any CodingKey)?)

    /// Looks at a member that is an amount. Returns false for every other, which is not looked at.
    func looked(atAmount value: JSONValue, in path: [any CodingKey], _ key: any CodingKey) -> Bool
}
