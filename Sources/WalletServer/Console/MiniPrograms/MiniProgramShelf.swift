package import BillfoldWeb
import MiniPrograms

/// The platform's mini programs, as its operators see them first.
package struct MiniProgramShelf: Sendable, Hashable {
    package struct Program: Sendable, Hashable {
        package let appID: String
        package let path: String
        package let name: String
        package let author: String
        package let workspace: String
        /// The newest version that every user gets.
        package let released: String?
        /// How many versions wait for a review, where any does.
        package let waiting: String?
        /// False after it was taken down.
        package let isOpen: Bool
        package let state: StateWord

        /// - Parameter waiting: Versions that wait for a review.
        package init(
            appID: String, name: String, author: String, workspace: String, released: String?, waiting: Int, isOpen: Bool
        ) {
            self.appID = appID
            path = "/mini-programs/\(PathSegment.encoded(appID))"
            self.name = name
            self.author = author
            self.workspace = workspace
            self.released = released
            self.waiting =
                waiting > 0 ? waiting == 1 ? "1 version waits for a review" : "\(waiting) versions wait for a review" : nil
            self.isOpen = isOpen
            state = StateWord(isOpen ? "active" : "blocked")
        }
    }

    /// An author's or a merchant's server that signs its calls.
    package struct Signer: Sendable, Hashable {
        package let id: String
        package let name: String
        /// `author` or `client`.
        package let kind: String
        /// Workspaces of an author, mini programs of a client.
        package let members: String
        package let state: StateWord

        package init(id: String, name: String, kind: String, members: [String], isOpen: Bool) {
            self.id = id
            self.name = name
            self.kind = kind
            self.members = members.joined(separator: ", ")
            state = StateWord(isOpen ? "active" : "blocked")
        }
    }

    /// A key of the platform's own, which others hold its signatures to.
    package struct Key: Sendable, Hashable {
        /// For example `answers to servers, version 1`.
        package let use: String
        /// The public key.
        package let pem: String

        package init(use: String, pem: String) {
            self.use = use
            self.pem = pem
        }
    }

    package let programs: [Program]
    package let signers: [Signer]
    package let keys: [Key]

    package init(programs: [Program], signers: [Signer], keys: [Key]) {
        self.programs = programs
        self.signers = signers
        self.keys = keys
    }
}

/// One mini program: its versions and where each stands, what it may do, and the codes that open it.
package struct MiniProgramView: Sendable, Hashable {
    package struct Build: Sendable, Hashable {
        package let version: String
        /// The documented name, such as `Under Review`.
        package let state: String
        package let mark: String
        /// Of all users, while it goes out by share.
        package let percent: Int?
        /// Users' numbers, who get it before others.
        package let testGroup: String?
        package let minimumContainer: String
        /// Of the package that is delivered; nil for an HTML5 mini program.
        package let sha256: String?
        /// Of an HTML5 mini program.
        package let webPage: String?
        package let madeAt: InstantText
        /// The steps that can be taken from here.
        package let steps: [Step]

        /// - Parameter madeAt: Microseconds since 1970.
        package init(
            version: String, state: String, percent: Int?, testGroup: [String], minimumContainer: String, sha256: String?, webPage: String?,
            madeAt: Int64, steps: [Step]
        ) {
            self.version = version
            self.state = state
            mark = Self.marks[state] ?? "mark-open"
            self.percent = percent
            self.testGroup = testGroup.isEmpty ? nil : testGroup.joined(separator: ", ")
            self.minimumContainer = minimumContainer
            self.sha256 = sha256
            self.webPage = webPage
            self.madeAt = InstantText(madeAt)
            self.steps = steps
        }

        private static let marks = ["Full Release": "mark-done", "Canceled": "mark-bad", "Archived": "mark-quiet"]
    }

    /// An action that waits for a second person.
    package struct Step: Sendable, Hashable {
        /// Of its approval.
        package let kind: String
        package let label: String
        package let takesUsers: Bool
        package let takesShare: Bool
        let event: ReleaseState.Event

        private init(_ name: String, _ event: ReleaseState.Event, label: String, takesUsers: Bool = false, takesShare: Bool = false) {
            kind = "mini-program-\(name)"
            self.label = label
            self.takesUsers = takesUsers
            self.takesShare = takesShare
            self.event = event
        }

        package static let approve = Self("approve", .approve, label: "Approve the review")
        package static let reject = Self("reject", .reject, label: "Reject it")
        package static let pilot = Self("pilot", .startPilot, label: "Give it to the test group", takesUsers: true)
        /// A share of all is possible where any larger share is.
        package static let gray = Self(
            "gray", .startGrayscale(percent: 100), label: "Give it to a share of users", takesUsers: true, takesShare: true)
        package static let release = Self("release", .release, label: "Release it to everybody")
        package static let rollBack = Self("roll-back", .rollBack, label: "Bring it back")
        package static let cancel = Self("cancel", .cancel, label: "Give it up")
        package static let archive = Self("archive", .archive, label: "Archive it")

        package static let allCases = [approve, reject, pilot, gray, release, rollBack, cancel, archive]
    }

    package struct Scope: Sendable, Hashable {
        package let name: String
        /// `silent`, `ask` or `forbidden`.
        package let rule: String
        /// Whether the rule is this mini program's own, over everybody's.
        package let isOwn: Bool

        package init(name: String, rule: String, isOwn: Bool) {
            self.name = name
            self.rule = rule
            self.isOwn = isOwn
        }
    }

    package struct Code: Sendable, Hashable {
        package let id: String
        package let deepLink: String
        /// What a printed code says.
        package let content: String
        /// The code as a picture; nil where the text does not fit into one.
        package let picture: String?
        package let viewBox: String?

        package init(id: String, deepLink: String, content: String) {
            self.id = id
            self.deepLink = deepLink
            self.content = content
            let code = try? QRCode(content)
            (picture, viewBox) = (code?.path, code?.viewBox)
        }
    }

    package let program: MiniProgramShelf.Program
    package let slogan: String?
    /// The merchant's client, as the author recorded it; nil until then.
    package let authClientID: String?
    package let serverDomains: [String]
    package let webPageDomains: [String]
    package let features: [String]
    package let customInterfaces: [String]
    package let scenes: [String]
    // Of what was granted, one a line.
    package let featuresText: String
    package let interfacesText: String
    package let scenesText: String
    package let ownScopes: String
    package let scopes: [Scope]
    package let builds: [Build]
    package let codes: [Code]

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
        featuresText = features.joined(separator: "\n")
        interfacesText = customInterfaces.joined(separator: "\n")
        scenesText = scenes.joined(separator: "\n")
        ownScopes = scopes.filter(\.isOwn).map { "\($0.name)=\($0.rule)" }.joined(separator: "\n")
        self.scopes = scopes
        self.builds = builds
        self.codes = codes
    }
}
