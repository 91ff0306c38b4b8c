/// What a party of the sandbox can be told to do wrong, as the console offers it. The party's capability brings its own.
package struct FaultMenu: Sendable, Hashable {
    package struct Choice: Sendable, Hashable {
        package var name: String
        package var title: String
        package var effect: String
        /// A JSON object with the keys of the party's fault plan that this choice sets.
        package var plan: String

        package init(_ name: String, title: String, effect: String, plan: String) {
            self.name = name
            self.title = title
            self.effect = effect
            self.plan = plan
        }
    }

    /// What the page calls the party, for example `gateway`.
    package var party: String
    /// Where the console takes plans: `{path}/{scope}`. No other menu has the same.
    package var path: String
    /// Where the party itself takes them and tells which one holds: `{control}/{scope}`, below its origin.
    package var control: String
    package var choices: [Choice]
    /// The key of a plan that holds a delay in milliseconds, which the reader may change.
    package var delayKey: String?
    /// The correlation id of a story that names its order, where orders are named by their own programs: a plan can be set for any name,
    /// before there is an order. `nil` where they are known by our ids alone.
    package var correlation: String?

    package init(
        party: String, path: String, control: String, choices: [Choice], delayKey: String? = nil, correlation: String? = nil
    ) {
        self.party = party
        self.path = path
        self.control = control
        self.choices = choices
        self.delayKey = delayKey
        self.correlation = correlation
    }
}
