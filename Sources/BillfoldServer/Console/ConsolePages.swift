public import BillfoldDiagnosis
public import BillfoldTrace
public import BillfoldWeb

/// The console's pages: a model in, HTML out.
public protocol ConsolePages: Sendable {
    /// The first page: the journeys, and the stories that were active last, newest activity first.
    func home(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    func stories(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    /// One story as a sequence diagram that grows while it is open, below the order it is about.
    func story(_ contents: StoryContents, for reader: ConsoleReader) throws -> String
    /// What one journey is and what happened on it last, or `nil` where there is none of that name.
    ///
    /// - `faultPlan`: What the sandbox does wrong with the next order.
    func journey(_ name: String, stories: [TraceStory], faultPlan: FaultPlanForm?, for reader: ConsoleReader) throws -> String?
    /// The form that signs an operator in.
    ///
    /// - Parameter next: The path to go on to.
    func signIn(next: String) throws -> String
    /// The actions that take a second person, or one where the policy says so.
    func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) throws -> String
    /// What waits for a person.
    ///
    /// - `offersRequests`: Whether actions can be asked for in this console.
    func alarms(_ list: AlarmList, ofPayments: Bool, offersRequests: Bool, for reader: ConsoleReader) throws -> String
    /// Cards in wallets: switches, reviews, allow list and decisions.
    ///
    /// - `offersReviews`: Whether a review's end can be asked for in this console.
    func provisioning(_ overview: ProvisioningOverview, offersReviews: Bool, for reader: ConsoleReader) throws -> String
    /// One card's tokens, decisions and messages.
    func provisioningCard(_ view: ProvisioningCardView, offersReviews: Bool, for reader: ConsoleReader) throws -> String
    /// The order gateway's trades, and the notifications that were given up.
    func gateway(_ overview: GatewayOverview, for reader: ConsoleReader) throws -> String
    /// One trade with its refunds, postings and every attempt to tell of it.
    func gatewayTrade(_ view: GatewayTradeView, for reader: ConsoleReader) throws -> String
    /// A day's books of the order gateway beside a wallet's.
    func gatewayBooks(_ books: GatewayBooks, for reader: ConsoleReader) throws -> String
    /// The acquiring gateway's payments, its alarms, and the notifications that were given up.
    func acquiring(_ overview: AcquiringOverview, offersRequests: Bool, for reader: ConsoleReader) throws -> String
    /// One payment under every party's identifiers, with why each wallet is offered or missing.
    func acquiringPayment(_ view: AcquiringPaymentView, for reader: ConsoleReader) throws -> String
    /// What the platform hosts.
    func miniPrograms(_ shelf: MiniProgramShelf, for reader: ConsoleReader) throws -> String
    /// One mini program's versions, permissions and codes.
    ///
    /// - `offersSteps`: Whether steps can be asked for in this console.
    func miniProgram(_ view: MiniProgramView, offersSteps: Bool, for reader: ConsoleReader) throws -> String
    /// One audit chain, and its owner's others.
    func audit(_ contents: AuditContents, for reader: ConsoleReader) throws -> String
    /// The form that takes artifacts, and what was found in those that came.
    func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) throws -> String
    /// Why there is no page here.
    func problem(_ refusal: Refusal, for reader: ConsoleReader) throws -> String
}

/// What the page of a story or an order shows.
public struct StoryContents: Sendable {
    /// The story's id, or the order's where nobody has reported anything about it yet.
    public var id: String
    public var story: TraceStory?
    public var order: OrderView?
    public var faultPlan: FaultPlanForm?
    /// Where the page's script listens for what comes after the last entry.
    public var eventsPath: String
    /// Whether refunds can be asked for in this console.
    public var offersRefunds: Bool
}

/// What the page of an audit chain shows.
public struct AuditContents: Sendable {
    /// Whose chains there are.
    public var owners: [String]
    public var owner: String
    public var chain: String
    public var trail: AuditTrail
    /// The owner's chains, or the further ones that were asked for.
    public var page: AuditTrails.Page
}

/// Who reads a page, and where.
public struct ConsoleReader: Sendable {
    public var mode: ServerMode
    public var identity: OperatorIdentity?
    /// For the page's forms; `nil` for whoever did not sign in.
    public var csrfToken: String?
    /// Whether operators sign in at this console.
    public var offersSignIn: Bool

    public init(mode: ServerMode, identity: OperatorIdentity?, csrfToken: String?, offersSignIn: Bool = false) {
        self.mode = mode
        self.identity = identity
        self.csrfToken = csrfToken
        self.offersSignIn = offersSignIn
    }
}
