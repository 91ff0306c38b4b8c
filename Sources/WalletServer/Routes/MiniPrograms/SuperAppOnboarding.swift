import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird
import MiniPrograms
import PaymentCrypto

/// `POST /onboarding/v1/super-app`: in test mode, with the onboarding key, whole installations register themselves. Doing it again replaces
/// the parties' own data.
///
/// The platform's part is done too, which takes two persons elsewhere: what `grants` asks for is granted, and the builds in `releases` pass
/// their review and are released. A build has the permissions of the time when it was made, so that an author asks for grants after making
/// a mini program and before uploading a version, and for releases after submitting it.
struct SuperAppOnboarding: Sendable {
    let office: MiniProgramOffice
    let side: WalletConfiguration.SuperApp
    let key: Secret<String>
    let context: WalletContext

    private static let bodyLimit = 262_144

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/onboarding/v1/super-app") { request, _ in
            try admit(request)
            try await register(await request.json(upTo: Self.bodyLimit))
            return try JSONAnswer.make(
                Registered(
                    origin: side.origin, name: side.name, keyVersion: side.keyVersion, publicKey: side.key.publicKey.pem),
                headers: [.cacheControl: "no-store"])
        }
    }

    /// What a party needs to know of the super app's server.
    private struct Registered: Encodable {
        var origin: String
        var name: String
        /// Of the key that answers are signed with, PEM.
        var keyVersion: Int
        var publicKey: String
    }

    private func admit(_ request: Request) throws(WalletError) {
        guard let bearer = request.bearer,
            context.hash(bearer, "onboarding").matches(context.hash(key.reveal(), "onboarding"))
        else { throw WalletError(code: .unauthorized, reason: "the request carries no onboarding key") }
    }

    private func register(_ body: [UInt8]) async throws {
        let reader = try SuperAppWish.Reader(body, allowing: ["workspaces", "authors", "clients", "grants", "releases"])
        let workspaces = try reader.objects("workspaces", maximum: 16, allowing: SuperAppWish.workspaceMembers)
        let authors = try reader.objects("authors", maximum: 16, allowing: SuperAppWish.authorMembers)
        let clients = try reader.objects("clients", maximum: 64, allowing: SuperAppWish.clientMembers)
        let grants = try Self.grants(reader)
        let releases = try Self.releases(reader)
        for workspace in try workspaces.map({ try SuperAppWish.workspace($0) }) { try await office.register(workspace, by: Self.actor) }
        for author in try authors.map({ try SuperAppWish.author($0) }) { try await office.register(author, by: Self.actor) }
        for client in try clients.map({ try SuperAppWish.client($0) }) { try await office.register(client, by: Self.actor) }
        for (appID, grant) in grants { try await give(grant, to: appID) }
        for (appID, version) in releases { try await release(appID, version) }
    }

    /// Who did it, in the audit trail.
    private static let actor = "onboarding"
    private static let reason = "test installation"
    private static let mostPrograms = 64

    private static func grants(_ reader: SuperAppWish.Reader) throws(WalletError) -> [(String, HostedMiniProgram.Grant)] {
        var grants: [(String, HostedMiniProgram.Grant)] = []
        for item in try reader.objects("grants", maximum: mostPrograms, allowing: ["appId", "grant"]) {
            guard let grant = try item.object("grant", allowing: SuperAppWish.grantMembers) else {
                throw SuperAppWish.Reader.malformed("grants.grant", "is missing")
            }
            grants.append((try item.text("appId", maximum: 32), try SuperAppWish.grant(grant)))
        }
        return grants
    }

    private static func releases(_ reader: SuperAppWish.Reader) throws(WalletError) -> [(String, MiniProgramVersion)] {
        var releases: [(String, MiniProgramVersion)] = []
        for item in try reader.objects("releases", maximum: mostPrograms, allowing: ["appId", "releaseVersion"]) {
            guard let version = MiniProgramVersion(text: try item.text("releaseVersion", maximum: 64)) else {
                throw SuperAppWish.Reader.malformed("releases.releaseVersion", "is no version")
            }
            releases.append((try item.text("appId", maximum: 32), version))
        }
        return releases
    }

    /// A grant that holds already has no second line in the audit trail.
    private func give(_ grant: HostedMiniProgram.Grant, to appID: String) async throws {
        let known = try await context.database.lookup { try MiniProgramRecords.find(appID, in: $0) }
        guard known?.grant != grant else { return }
        try await office.grant(grant, to: appID, by: Self.actor, reason: Self.reason)
    }

    /// Takes a build through the steps that it still needs; one that is released stays as it is.
    private func release(_ appID: String, _ version: MiniProgramVersion) async throws {
        guard let build = try await context.database.lookup({ try MiniProgramRecords.build(appID, version, in: $0) }) else {
            throw WalletError(code: .notFound, reason: "there is no such build")
        }
        guard build.state != .released else { return }
        if build.state == .underReview {
            try await office.take(.approve, appID: appID, version: version, by: Self.actor, reason: Self.reason)
        }
        try await office.take(.release, appID: appID, version: version, by: Self.actor, reason: Self.reason)
    }
}
