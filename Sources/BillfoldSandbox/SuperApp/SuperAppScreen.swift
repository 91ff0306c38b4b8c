/// All that the phone with the super app shows at one moment, as it goes to the page.
public struct SuperAppScreen: DeviceScreen, Hashable, Codable {
    public enum Place: String, Sendable, Hashable, Codable {
        case login
        case home
        /// The container fetches and verifies a mini program.
        case opening
        case program
    }

    /// Somebody who can be signed in as, for demonstration.
    public struct Person: Sendable, Hashable, Codable {
        public var name: String
        public var password: String
        public var title: String

        public init(name: String, password: String, title: String) {
            self.name = name
            self.password = password
            self.title = title
        }
    }

    /// One mini program of the home page, as the platform lists it.
    public struct App: Sendable, Hashable, Codable {
        public var appId: String
        public var name: String
        public var slogan: String?
        public var logo: String?
        public var version: String
    }

    public struct Problem: Sendable, Hashable, Codable {
        public var code: String
        public var reason: String
    }

    /// The mini program that runs.
    public struct Program: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable {
            case script
            /// Its pages are its server's, in a frame.
            case web
        }

        public struct Value: Sendable, Hashable, Codable {
            public var name: String
            public var value: String
        }

        public struct Line: Sendable, Hashable, Codable {
            /// `log`, `warn` or `error`.
            public var level: String
            public var text: String
        }

        public var appId: String
        public var name: String
        public var version: String
        public var kind: Kind
        public var title: String
        public var canGoBack = false
        public var route: String?
        /// The page's data by its names: texts as they are, everything else as JSON.
        public var data: [Value]?
        public var controls: [TemplateControl]?
        public var webPage: String?
        public var log: [Line] = []
    }

    /// What lies over everything and wants an answer.
    public struct Sheet: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable {
            case consent, cashier, scanner, alert, confirm, prompt, choices, link, scene
        }

        public struct Scope: Sendable, Hashable, Codable {
            public var scope: String
            public var text: String
        }

        public var kind: Kind
        public var title: String?
        public var text: String?
        public var confirm: String?
        public var cancel: String?
        public var placeholder: String?
        public var items: [String]?
        public var scopes: [Scope]?
        /// Where the browser goes: the wallet's cashier.
        public var away: String?
        /// Of codes: `qrCode` or `barCode`.
        public var type: String?
        public var albumAllowed: Bool?
        public var note: String?
        public var scene: String?

        init(_ kind: Kind, title: String? = nil) {
            self.kind = kind
            self.title = title
        }
    }

    public struct Toast: Sendable, Hashable, Codable {
        /// Counts up, so that the same words twice are two toasts.
        public var number: Int
        public var text: String
        /// `success`, `fail`, `exception` or `none`.
        public var type: String
    }

    /// A call of `my`, as it stands.
    public struct Call: Sendable, Hashable, Codable {
        public enum State: String, Sendable, Hashable, Codable {
            case waiting, done, failed
        }

        public var number: Int
        public var name: String
        public var state: State
        public var text: String
    }

    /// A text for the page in the frame, for pages of one origin alone.
    public struct Delivery: Sendable, Hashable, Codable {
        public var number: Int
        public var origin: String
        public var text: String
    }

    public var revision = 0
    public var session: String
    public var place = Place.login
    public var people: [Person]
    public var user: String?
    public var apps: [App] = []
    public var problem: Problem?
    public var program: Program?
    public var sheet: Sheet?
    public var toast: Toast?
    public var loading: String?
    public var calls: [Call] = []
    public var deliveries: [Delivery] = []
    /// Where the run's messages can be read; nil without a console.
    public var story: String?
    /// Whether the phone's network is off; absent otherwise.
    public var isOffline: Bool?

    init(session: String, people: [Person]) {
        self.session = session
        self.people = people
    }
}

/// What the customer does with the phone, as the page posts it: `{"do":"open","value":"2026112300000001"}`.
public struct SuperAppTap: Sendable, Hashable, Codable, StrictBody, CustomStringConvertible {
    static let members = ["do", "value", "secret", "text", "dataset"]

    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value is a name or number, the secret the password.
        case signIn
        case signOut
        /// The value is a mini program's id.
        case open
        /// The value is a link, or what a code says.
        case openLink
        /// Scans a code from the home page.
        case scan
        /// The value is a method of the page; `text` is what was typed into an input.
        case event
        case back
        case close
        /// To all scopes of the consent sheet.
        case agree
        case refuse
        /// From the wallet's cashier, without its word.
        case comeBack
        case leaveScanner
        /// The value is what was typed into a prompt.
        case confirm
        case cancel
        /// The value is an item's index.
        case choose
        case allow
        case decline
        /// A scene's page has done its work.
        case finish
        case dismissToast
        /// The value is `off` or `on`: the phone's network.
        case network
    }

    public var action: Action
    public var value: String?
    /// A password.
    public var secret: String?
    public var text: String?
    public var dataset: [String: String]?

    public init(
        _ action: Action, _ value: String? = nil, secret: String? = nil, text: String? = nil, dataset: [String: String]? = nil
    ) {
        self.action = action
        self.value = value
        self.secret = secret
        self.text = text
        self.dataset = dataset
    }

    private enum CodingKeys: String, CodingKey {
        case action = "do"
        case value, secret, text, dataset
    }

    /// Without what was typed.
    public var description: String { action.rawValue }
}
