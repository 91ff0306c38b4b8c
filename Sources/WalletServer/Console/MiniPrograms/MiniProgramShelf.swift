/// The platform's mini programs, as its operators see them first.
package struct MiniProgramShelf: Sendable, Hashable {
    package struct Program: Sendable, Hashable {
        package var appID: String
        package var name: String
        package var author: String
        package var workspace: String
        /// The newest version that every user gets.
        package var released: String?
        /// Versions that wait for a review.
        package var waiting: Int
        /// False after it was taken down.
        package var isOpen: Bool

        package init(
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
    package struct Signer: Sendable, Hashable {
        package var id: String
        package var name: String
        /// `author` or `client`.
        package var kind: String
        /// Workspaces of an author, mini programs of a client.
        package var members: [String]
        package var isOpen: Bool

        package init(id: String, name: String, kind: String, members: [String], isOpen: Bool) {
            self.id = id
            self.name = name
            self.kind = kind
            self.members = members
            self.isOpen = isOpen
        }
    }

    /// A key of the platform's own, which others hold its signatures to.
    package struct Key: Sendable, Hashable {
        /// For example `answers to servers, version 1`.
        package var use: String
        /// The public key.
        package var pem: String

        package init(use: String, pem: String) {
            self.use = use
            self.pem = pem
        }
    }

    package var programs: [Program]
    package var signers: [Signer]
    package var keys: [Key]

    package init(programs: [Program], signers: [Signer], keys: [Key]) {
        self.programs = programs
        self.signers = signers
        self.keys = keys
    }
}

/// One mini program: its versions and where each stands, what it may do, and the codes that open it.
package struct MiniProgramView: Sendable, Hashable {
    package struct Build: Sendable, Hashable {
        package var version: String
        /// The documented name, such as `Under Review`.
        package var state: String
        /// Of all users, while it goes out by share.
        package var percent: Int?
        /// Users' numbers, who get it before others.
        package var testGroup: [String]
        package var minimumContainer: String
        /// Of the package that is delivered; nil for an HTML5 mini program.
        package var sha256: String?
        /// Of an HTML5 mini program.
        package var webPage: String?
        /// Microseconds since 1970.
        package var madeAt: Int64
        /// The steps that can be taken from here.
        package var steps: [Step]

        package init(
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
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case approve
        case reject
        case pilot
        case gray
        case release
        case rollBack = "roll-back"
        case cancel
        case archive
    }

    package struct Scope: Sendable, Hashable {
        package var name: String
        /// `silent`, `ask` or `forbidden`.
        package var rule: String
        /// Whether the rule is this mini program's own, over everybody's.
        package var isOwn: Bool

        package init(name: String, rule: String, isOwn: Bool) {
            self.name = name
            self.rule = rule
            self.isOwn = isOwn
        }
    }

    package struct Code: Sendable, Hashable {
        package var id: String
        package var deepLink: String
        /// What a printed code says.
        package var content: String

        package init(id: String, deepLink: String, content: String) {
            self.id = id
            self.deepLink = deepLink
            self.content = content
        }
    }

    package var program: MiniProgramShelf.Program
    package var slogan: String?
    /// The merchant's client, as the author recorded it; nil until then.
    package var authClientID: String?
    package var serverDomains: [String]
    package var webPageDomains: [String]
    package var features: [String]
    package var customInterfaces: [String]
    package var scenes: [String]
    package var scopes: [Scope]
    package var builds: [Build]
    package var codes: [Code]

    package init(
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
