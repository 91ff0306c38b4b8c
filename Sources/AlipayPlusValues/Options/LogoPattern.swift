/// How the Alipay+ row is drawn: `P1-WEB-01`, that is layout, terminal and a custom part [D].
public struct LogoPattern: Sendable, Hashable, CustomStringConvertible {
    /// Where the Alipay+ mark stands.
    public enum Layout: String, Sendable, Hashable, CaseIterable {
        /// The Alipay+ mark stands left of the wallets' marks.
        case markLeft = "P1"
        /// The Alipay+ mark stands above them.
        case markAbove = "P2"
    }

    /// Where the row is drawn.
    public enum Terminal: String, Sendable, Hashable, CaseIterable {
        case web = "WEB"
        case app = "APP"
    }

    /// The longest custom part.
    public static let customLimit = 10
    /// What a client asks for that was given no pattern [I].
    public static let standard = LogoPattern(layout: .markLeft, terminal: .app, number: 1)

    public let layout: Layout
    public let terminal: Terminal
    /// 1 to 10 characters: by default two digits, counted from `01`.
    public let custom: String

    /// A pattern of the default kind; `number` is 1 to 99, and clamped to it.
    public init(layout: Layout, terminal: Terminal, number: Int) {
        self.layout = layout
        self.terminal = terminal
        let digits = String(min(max(number, 1), 99))
        custom = digits.count == 1 ? "0" + digits : digits
    }

    /// `logo-pattern-malformed` for everything else. The custom part stands in a path, so only letters, digits, `-` and `_` are
    /// taken; no document names its characters [I].
    public init(_ text: String) throws(AlipayPlusError) {
        let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw Self.malformed("is not layout, terminal and custom part") }
        guard let layout = Layout(rawValue: parts[0]) else { throw Self.malformed("has another layout than P1 and P2") }
        guard let terminal = Terminal(rawValue: parts[1]) else { throw Self.malformed("has another terminal than WEB and APP") }
        guard PublishedOptionPath.isName(parts[2]), parts[2].utf8.count <= Self.customLimit else {
            throw Self.malformed("has a custom part that is not 1 to \(Self.customLimit) letters, digits, - or _")
        }
        self.layout = layout
        self.terminal = terminal
        custom = parts[2]
    }

    public var description: String { "\(layout.rawValue)-\(terminal.rawValue)-\(custom)" }

    private static func malformed(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .logoPatternMalformed, reason: "the logo pattern \(problem)")
    }
}
