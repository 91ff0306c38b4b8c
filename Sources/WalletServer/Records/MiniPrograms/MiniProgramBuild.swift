package import BillfoldStorage
package import MiniPrograms

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
