public import BillfoldDiagnosis

/// One rule about a recorded sheet session (apple-pay.md#sheet).
public protocol SheetRule: Sendable {
    /// The codes this rule can report, so that documentation and tests can list them.
    static var codes: [String] { get }
    /// Every breach in the session; empty when the rule holds. Findings name it by `subject`.
    func findings(in session: SheetSession, subject: String) -> [Finding]
}

/// Applies every rule of apple-pay.md#sheet to a recorded session: why the sheet froze, showed zero, or crashed the app.
public struct SheetSessionLinter: Sendable {
    public static let rules: [any SheetRule] = [
        AnsweredOnceRule(), AnswerInTimeRule(), AnswerItemsRule(), ErrorDomainRule(), BlamedFieldRule(), ServerFirstRule(),
    ]

    public init() {}

    public func findings(in session: SheetSession, subject: String = "sheet session") -> [Finding] {
        Self.rules.flatMap { $0.findings(in: session, subject: subject) }
    }
}

extension SheetSession {
    /// How evidence names an event.
    static func name(_ index: Int, _ event: Event) -> String { "events[\(index)] \(event.callback.rawValue)" }
}
