public import BillfoldTrace

/// The console's pages: a model in, HTML out.
public protocol ConsolePages: Sendable {
    /// The first page: the journeys, and the stories that were active last, newest activity first.
    func home(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    func stories(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    /// One story as a sequence diagram that grows while it is open.
    ///
    /// - `eventsPath`: Where the page's script listens for what comes after the last entry.
    func story(_ story: TraceStory, eventsPath: String, for reader: ConsoleReader) throws -> String
    /// What one journey is, or `nil` where there is none of that name.
    func journey(_ name: String, for reader: ConsoleReader) throws -> String?
    /// The form that signs an operator in.
    ///
    /// - Parameter next: The path to go on to.
    func signIn(next: String) throws -> String
    /// The actions that take a second person.
    func approvals(_ requests: [ApprovalRequest], for reader: ConsoleReader) throws -> String
    /// Why there is no page here.
    func problem(_ refusal: Refusal, for reader: ConsoleReader) throws -> String
}

/// Who reads a page, and where.
public struct ConsoleReader: Sendable {
    public var mode: ServerMode
    public var identity: OperatorIdentity?
    /// For the page's forms; `nil` where nobody signs in.
    public var csrfToken: String?

    public init(mode: ServerMode, identity: OperatorIdentity?, csrfToken: String?) {
        self.mode = mode
        self.identity = identity
        self.csrfToken = csrfToken
    }
}
