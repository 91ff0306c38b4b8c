/// What a story is about, as the desk that keeps it shows it above the story's messages.
package struct StorySubject: Sendable {
    package let id: String
    /// What people know it by; the page's title.
    package let name: String
    /// Over the name.
    package let label: String
    package let standing: StateWord
    /// What the page loads beside its own, paths below `/assets/`.
    package let styles: [String]
    package let scripts: [String]
    private let template: String
    private let values: any Sendable

    /// - Parameters:
    ///   - template: What draws it, of the desk's set.
    ///   - values: What the template names; see ``PageSet/render(_:_:)``.
    package init(
        id: String, name: String, label: String, standing: StateWord, template: String, values: some Sendable, styles: [String] = [],
        scripts: [String] = []
    ) {
        self.id = id
        self.name = name
        self.label = label
        self.standing = standing
        self.template = template
        self.values = values
        self.styles = styles
        self.scripts = scripts
    }
}
