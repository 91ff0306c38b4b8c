/// The platform's mini programs, as its operators see them first.
public struct MiniProgramShelf: Sendable, Hashable {
    public struct Program: Sendable, Hashable {
        public var appID: String
        public var name: String
        public var author: String
        public var workspace: String
        /// The newest version that every user gets.
        public var released: String?
        /// Versions that wait for a review.
        public var waiting: Int
        /// False after it was taken down.
        public var isOpen: Bool

        public init(
            appID: String, name: String, author: String, workspace: String, released: String?, waiting: Int, isOpen: Bool
        ) {
            self.appID = appID
            self.name = name
            self.author = author
            self.workspace = workspace
            self.released = released
            self.waiting = waiting
            self.isOpen = isOpen
        }
    }

    /// An author's or a merchant's server that signs its calls.
    public struct Signer: Sendable, Hashable {
        public var id: String
        public var name: String
        /// `author` or `client`.
        public var kind: String
        /// Workspaces of an author, mini programs of a client.
        public var members: [String]
        public var isOpen: Bool

        public init(id: String, name: String, kind: String, members: [String], isOpen: Bool) {
            self.id = id
            self.name = name
            self.kind = kind
            self.members = members
            self.isOpen = isOpen
        }
    }

    /// A key of the platform's own, which others hold its signatures to.
    public struct Key: Sendable, Hashable {
        /// For example `answers to servers, version 1`.
        public var use: String
        /// The public key.
        public var pem: String

        public init(use: String, pem: String) {
            self.use = use
            self.pem = pem
        }
    }

    public var programs: [Program]
    public var signers: [Signer]
    public var keys: [Key]

    public init(programs: [Program], signers: [Signer], keys: [Key]) {
        self.programs = programs
        self.signers = signers
        self.keys = keys
    }
}

/// One mini program: its versions and where each stands, what it may do, and the codes that open it.
public struct MiniProgramView: Sendable, Hashable {
    public struct Build: Sendable, Hashable {
        public var version: String
        /// The documented name, such as `Under Review`.
        public var state: String
        /// Of all users, while it goes out by share.
        public var percent: Int?
        /// Users' numbers, who get it before others.
        public var testGroup: [String]
        public var minimumContainer: String
        /// Of the package that is delivered; nil for an HTML5 mini program.
        public var sha256: String?
        /// Of an HTML5 mini program.
        public var webPage: String?
        /// Microseconds since 1970.
        public var madeAt: Int64
        /// The steps that can be taken from here.
        public var steps: [Step]

        public init(
            version: String, state: String, percent: Int?, testGroup: [String], minimumContainer: String, sha256: String?, webPage: String?,
            madeAt: Int64, steps: [Step]
        ) {
            self.version = version
            self.state = state
            self.percent = percent
            self.testGroup = testGroup
            self.minimumContainer = minimumContainer
            self.sha256 = sha256
            self.webPage = webPage
            self.madeAt = madeAt
            self.steps = steps
        }
    }

    /// An action that waits for a second person.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        case approve
        case reject
        case pilot
        case gray
        case release
        case rollBack = "roll-back"
        case cancel
        case archive
    }

    public struct Scope: Sendable, Hashable {
        public var name: String
        /// `silent`, `ask` or `forbidden`.
        public var rule: String
        /// Whether the rule is this mini program's own, over everybody's.
        public var isOwn: Bool

        public init(name: String, rule: String, isOwn: Bool) {
            self.name = name
            self.rule = rule
            self.isOwn = isOwn
        }
    }

    public struct Code: Sendable, Hashable {
        public var id: String
        public var deepLink: String
        /// What a printed code says.
        public var content: String

        public init(id: String, deepLink: String, content: String) {
            self.id = id
            self.deepLink = deepLink
            self.content = content
        }
    }

    public var program: MiniProgramShelf.Program
    public var slogan: String?
    /// The merchant's client, as the author recorded it; nil until then.
    public var authClientID: String?
    public var serverDomains: [String]
    public var webPageDomains: [String]
    public var features: [String]
    public var customInterfaces: [String]
    public var scenes: [String]
    public var scopes: [Scope]
    public var builds: [Build]
    public var codes: [Code]

    public init(
        program: MiniProgramShelf.Program, slogan: String?, authClientID: String?, serverDomains: [String], webPageDomains: [String],
        features: [String], customInterfaces: [String], scenes: [String], scopes: [Scope], builds: [Build], codes: [Code]
    ) {
        self.program = program
        self.slogan = slogan
        self.authClientID = authClientID
        self.serverDomains = serverDomains
        self.webPageDomains = webPageDomains
        self.features = features
        self.customInterfaces = customInterfaces
        self.scenes = scenes
        self.scopes = scopes
        self.builds = builds
        self.codes = codes
    }
}
