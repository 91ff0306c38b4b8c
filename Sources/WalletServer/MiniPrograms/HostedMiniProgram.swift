package import BillfoldStorage
package import MiniPrograms

/// A mini program as the platform keeps it, beside its builds.
package struct HostedMiniProgram: Sendable, Hashable, Codable {
    /// What its author says of it. Names, logo and client hold at once; the lists of domains are those of builds made afterwards
    /// (mini-programs.md#metadata [D]).
    package struct Profile: Sendable, Hashable, Codable {
        package var name: String
        package var slogan: String?
        /// An address.
        package var logo: String?
        /// The merchant's client, which the author records here. Nil until then.
        package var authClientID: String?
        /// Hosts, such as `api.merchant.example` or `*.merchant.example`.
        package var serverDomains: [String]
        package var webPageDomains: [String]

        package init(
            name: String, slogan: String? = nil, logo: String? = nil, authClientID: String? = nil, serverDomains: [String] = [],
            webPageDomains: [String] = []
        ) {
            self.name = name
            self.slogan = slogan
            self.logo = logo
            self.authClientID = authClientID
            self.serverDomains = serverDomains
            self.webPageDomains = webPageDomains
        }
    }

    /// What the platform allows it beyond what everyone may. The scopes hold at once, the rest is that of builds made afterwards.
    package struct Grant: Sendable, Hashable, Codable {
        /// The names of `JSAPI.Permission`.
        package var features: [String]
        package var customInterfaces: [String]
        package var scenes: [String]
        /// Over everybody's rules: scope to `silent`, `ask` or `forbidden`.
        package var scopes: [String: String]

        package init(
            features: [String] = [], customInterfaces: [String] = [], scenes: [String] = [], scopes: [String: ScopePolicy.Rule] = [:]
        ) {
            self.features = features
            self.customInterfaces = customInterfaces
            self.scenes = scenes
            self.scopes = scopes.mapValues(\.rawValue)
        }

        /// A stored rule that no program knows forbids.
        var rules: [String: ScopePolicy.Rule] { scopes.mapValues { ScopePolicy.Rule(rawValue: $0) ?? .forbidden } }
    }

    package let appID: String
    package let author: String
    package let workspace: String
    package var profile: Profile
    package var grant: Grant
    /// False after it was taken down: nothing of it is delivered, and no codes are issued for it.
    package var isOpen: Bool

    init(appID: String, author: String, workspace: String, profile: Profile) {
        self.appID = appID
        self.author = author
        self.workspace = workspace
        self.profile = profile
        grant = Grant()
        isOpen = true
    }
}

/// One build of a mini program: a version with its stamp, the permissions as they were, and where it stands.
package struct MiniProgramBuild: Sendable {
    /// As they were when it was built.
    struct Permissions: Sendable, Hashable, Codable {
        var features: [String]
        var customInterfaces: [String]
        var serverDomains: [String]
        var webPageDomains: [String]
        var scenes: [String]

        init(_ app: HostedMiniProgram) {
            features = app.grant.features
            customInterfaces = app.grant.customInterfaces
            scenes = app.grant.scenes
            serverDomains = app.profile.serverDomains
            webPageDomains = app.profile.webPageDomains
        }
    }

    struct Detail: Sendable, Hashable, Codable {
        var minimumContainer: String
        var permissions: Permissions
        /// Of the archive that is delivered, in hexadecimal; nil for an HTML5 mini program.
        var packageSHA256: String?
        var packageSize: Int64?
        /// Of an HTML5 mini program.
        var webPage: String?
        /// The test group: users' numbers.
        var pilotUsers: [String] = []
        /// What was released when this was, for one step back.
        var replaced: String?
        /// The approval or the call that took the last step: running it again does nothing more.
        var lastRequest: String?
    }

    package let appID: String
    package let version: MiniProgramVersion
    package internal(set) var state: ReleaseState
    var detail: Detail
    package let createdAt: Timestamp

    /// Who gets it in pilot and grayscale.
    package var pilotUsers: [String] { detail.pilotUsers }
    /// SHA-256 of the archive that is delivered, in hexadecimal; nil for an HTML5 mini program.
    package var packageSHA256: String? { detail.packageSHA256 }

    var offered: OfferedVersion {
        OfferedVersion(
            version: version, state: state, pilotUsers: Set(detail.pilotUsers),
            minimumContainer: MiniProgramVersion(text: detail.minimumContainer) ?? .init(999_999, 0, 0))
    }

    /// Whether its package may be fetched: by whoever was told its hash, also while an update to the next one is under way.
    var isDelivered: Bool {
        switch state {
        case .pilot, .grayscale, .released, .archived: true
        case .created, .underReview, .preparation, .canceled: false
        }
    }
}
