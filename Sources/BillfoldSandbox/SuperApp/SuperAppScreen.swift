/// All that the phone with the super app shows at one moment, as it goes to the page.
package struct SuperAppScreen: DeviceScreen, Hashable, Codable {
    package enum Place: String, Sendable, Hashable, Codable {
        case login
        case home
        /// The container fetches and verifies a mini program.
        case opening
        case program
    }

    /// Somebody who can be signed in as, for demonstration.
    package struct Person: Sendable, Hashable, Codable {
        package var name: String
        package var password: String
        package var title: String

        package init(name: String, password: String, title: String) {
            self.name = name
            self.password = password
            self.title = title
        }
    }

    /// One mini program of the home page, as the platform lists it.
    package struct App: Sendable, Hashable, Codable {
        package var appId: String
        package var name: String
        package var slogan: String?
        package var logo: String?
        package var version: String
    }

    package struct Problem: Sendable, Hashable, Codable {
        package var code: String
        package var reason: String
    }

    /// The mini program that runs.
    package struct Program: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            case script
            /// Its pages are its server's, in a frame.
            case web
        }

        package struct Value: Sendable, Hashable, Codable {
            package var name: String
            package var value: String
        }

        package struct Line: Sendable, Hashable, Codable {
            /// `log`, `warn` or `error`.
            package var level: String
            package var text: String
        }

        package var appId: String
        package var name: String
        package var version: String
        package var kind: Kind
        package var title: String
        package var canGoBack = false
        package var route: String?
        /// The page's data by its names: texts as they are, everything else as JSON. Nil until the page has told them, and so are its controls:
        /// until then there is nothing to touch.
        package var data: [Value]?
        package var controls: [TemplateControl]?
        package var webPage: String?
        package var log: [Line] = []
    }

    /// What lies over everything and wants an answer.
    package struct Sheet: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            case consent, cashier, scanner, alert, confirm, prompt, choices, link, scene
        }

        package struct Scope: Sendable, Hashable, Codable {
            package var scope: String
            package var text: String
        }

        package var kind: Kind
        package var title: String?
        package var text: String?
        package var confirm: String?
        package var cancel: String?
        package var placeholder: String?
        package var items: [String]?
        package var scopes: [Scope]?
        /// Where the browser goes: the wallet's cashier.
        package var away: String?
        /// Of codes: `qrCode` or `barCode`.
        package var type: String?
        package var albumAllowed: Bool?
        package var note: String?
        package var scene: String?

        init(_ kind: Kind, title: String? = nil) {
            self.kind = kind
            self.title = title
        }
    }

    package struct Toast: Sendable, Hashable, Codable {
        /// Counts up, so that the same words twice are two toasts.
        package var number: Int
        package var text: String
        /// `success`, `fail`, `exception` or `none`.
        package var type: String
    }

    /// A call of `my`, as it stands.
    package struct Call: Sendable, Hashable, Codable {
        package enum State: String, Sendable, Hashable, Codable {
            case waiting, done, failed
        }

        package var number: Int
        package var name: String
        package var state: State
        package var text: String
    }

    /// A text for the page in the frame, for pages of one origin alone.
    package struct Delivery: Sendable, Hashable, Codable {
        package var number: Int
        package var origin: String
        package var text: String
    }

    package var revision = 0
    package var session: String
    package var place = Place.login
    package var people: [Person]
    package var user: String?
    package var apps: [App] = []
    package var problem: Problem?
    package var program: Program?
    package var sheet: Sheet?
    package var toast: Toast?
    package var loading: String?
    package var calls: [Call] = []
    package var deliveries: [Delivery] = []
    /// Where the run's messages can be read; nil without a console.
    package var story: String?
    /// Whether the phone's network is off; absent otherwise.
    package var isOffline: Bool?

    init(session: String, people: [Person]) {
        self.session = session
        self.people = people
    }
}

/// What the customer does with the phone, as the page posts it: `{"do":"open","value":"2026112300000001"}`.
package struct SuperAppTap: Sendable, Hashable, Codable, StrictBody, CustomStringConvertible {
    static let members = ["do", "value", "secret", "text", "dataset"]
    static let choices = ["do": Action.allCases.map(\.rawValue)]

    package enum Action: String, Sendable, Hashable, Codable, CaseIterable {
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

    package var action: Action
    package var value: String?
    /// A password.
    package var secret: String?
    package var text: String?
    package var dataset: [String: String]?

    package init(
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
    package var description: String { action.rawValue }
}
