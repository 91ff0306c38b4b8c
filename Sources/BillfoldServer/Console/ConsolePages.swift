public import BillfoldTrace

/// The console's pages: a model in, HTML out. BillfoldWeb's templates stand behind it.
public protocol ConsolePages: Sendable {
    /// The first page: what runs, and the stories that were active last.
    func home(_ model: ConsoleHome) throws -> String
    /// One story as a sequence diagram that grows while it is open.
    func story(_ model: ConsoleStory) throws -> String
    /// The form that signs an operator in.
    func signIn() throws -> String
    /// The actions that wait for a second person.
    func approvals(_ model: ConsoleApprovals) throws -> String
    /// Why there is no page here.
    func problem(_ model: ConsoleProblem) throws -> String
}

public struct ConsoleHome: Sendable {
    public var mode: ServerMode
    public var roles: [ServerRole]
    public var operatorIdentity: OperatorIdentity?
    /// Newest activity first.
    public var stories: [TraceStory]
}

public struct ConsoleStory: Sendable {
    public var story: TraceStory
    /// Where the page's script listens for what comes next: relative, and after the last entry of `story`.
    public var eventsPath: String
    public var operatorIdentity: OperatorIdentity?
}

public struct ConsoleApprovals: Sendable {
    public var requests: [ApprovalRequest]
    public var operatorIdentity: OperatorIdentity?
    /// For the page's forms; `nil` where nobody signs in.
    public var csrfToken: String?
}

public struct ConsoleProblem: Sendable {
    public var status: Int
    public var code: String
    public var reason: String
}
