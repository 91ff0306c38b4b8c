/// One of the texts that a JSON value has in the hands of common libraries. All of them say the same, and a signature over one fits no other.
public struct JSONStyle: Sendable, Hashable, CustomStringConvertible {
    /// The blanks and line breaks of a text, by the words that people are told.
    public enum Spacing: String, Sendable, CaseIterable {
        case compact
        case spaced = "a blank behind : and ,"
        case colon = "a blank behind :"
        case twoBlanks = "indented by two"
        case fourBlanks = "indented by four"

        var indent: Int? {
            switch self {
            case .twoBlanks: 2
            case .fourBlanks: 4
            default: nil
            }
        }
    }

    public var spacing: Spacing
    /// Members in the order of their keys' bytes.
    public var sortsKeys: Bool
    /// `\/` for a slash.
    public var escapesSlash: Bool
    /// `\u` escapes for what is not ASCII.
    public var isASCII: Bool

    public init(spacing: Spacing = .compact, sortsKeys: Bool = false, escapesSlash: Bool = false, isASCII: Bool = false) {
        self.spacing = spacing
        self.sortsKeys = sortsKeys
        self.escapesSlash = escapesSlash
        self.isASCII = isASCII
    }

    public static let compact = JSONStyle()

    /// Every style, the plainest first.
    public static let all: [JSONStyle] = [false, true].flatMap { sorted in
        Spacing.allCases.flatMap { spacing in
            [false, true].flatMap { slash in
                [false, true].map { JSONStyle(spacing: spacing, sortsKeys: sorted, escapesSlash: slash, isASCII: $0) }
            }
        }
    }

    /// In words, such as `compact, keys sorted`.
    public var description: String {
        [
            spacing.rawValue, sortsKeys ? "keys sorted" : nil, escapesSlash ? "slashes escaped" : nil,
            isASCII ? "text as \\u escapes" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
