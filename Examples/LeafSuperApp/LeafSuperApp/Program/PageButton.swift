import Foundation

/// A button of a page's template. Templates are not drawn yet: a page's buttons are read out of its file, so that a person can press them.
struct PageButton: Hashable {
    let title: String
    /// The method of the page that a tap calls.
    let handler: String

    static func all(in template: String) -> [PageButton] {
        template.matches(of: #/<button[^>]*\bonTap="([^"{]+)"[^>]*>([^<{]*)</button>/#).map {
            PageButton(title: $0.output.2.trimmingCharacters(in: .whitespacesAndNewlines), handler: String($0.output.1))
        }
    }
}
