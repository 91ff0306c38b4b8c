/// One option that a page's form offers.
struct PageChoice: Sendable {
    let value: String
    let title: String
    /// What the title is written in (BCP 47), where it is not the page's language.
    var tag: String?
    let isChosen: Bool
}
