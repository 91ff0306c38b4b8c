/// What of one desk waits for a person, for the page of alarms.
package struct AlarmSection: Sendable {
    /// The template that draws it, of the desk's set.
    package let template: String
    private let values: any Sendable

    /// - Parameter values: What the template names; see ``PageSet/render(_:_:)``.
    package init(_ template: String, _ values: some Sendable) {
        self.template = template
        self.values = values
    }
}
