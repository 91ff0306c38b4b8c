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
