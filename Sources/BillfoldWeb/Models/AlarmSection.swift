/// What of one desk waits for a person, for the page of alarms.
package struct AlarmSection {
    /// The template that draws it, of the desk's set.
    package var template: String
    package var model: [String: Any]

    package init(_ template: String, _ model: [String: Any]) {
        self.template = template
        self.model = model
    }
}
