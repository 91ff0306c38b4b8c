import BillfoldStorage
import Crypto
import MiniPrograms
import PaymentCrypto

/// What containers are told: which version a user gets, and its metadata, signed.
struct DeliveryService: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp

    private static let offeredStates: [ReleaseState] = [.pilot, .grayscale(percent: 1), .released]

    /// Which version a user gets, and why every newer one was passed over. Nobody who is not signed in has a part in pilots and shares.
    func choice(
        _ appID: String, user: String?, container: MiniProgramVersion, request: VersionRequest? = nil
    ) async throws -> (app: HostedMiniProgram, build: MiniProgramBuild?, choice: VersionChoice) {
        try await context.database.lookup { tx in
            guard PackageManifest.isAppID(appID), let app = try MiniProgramRecords.find(appID, in: tx) else {
                throw WalletError(code: .notFound, reason: "there is no such mini program")
            }
            guard app.isOpen else { throw WalletError(code: .takenDown, reason: "the mini program was taken down") }
            return try Self.choice(app, user: user, container: container, request: request, in: tx)
        }
    }

    private static func choice(
        _ app: HostedMiniProgram, user: String?, container: MiniProgramVersion, request: VersionRequest?, in tx: any Transaction
    ) throws -> (app: HostedMiniProgram, build: MiniProgramBuild?, choice: VersionChoice) {
        let builds = try MiniProgramRecords.builds(app.appID, states: user == nil ? [.released] : offeredStates, in: tx)
        let choice = VersionChoice(
            appID: app.appID, userID: user ?? "", offered: builds.map(\.offered), container: container, request: request)
        return (app, builds.first { $0.version == choice.version }, choice)
    }

    /// An answer's bytes, with the tag by which a container asks again without fetching them.
    struct Tagged: Sendable {
        var bytes: [UInt8]
        var tag: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            tag = "\"\(Hexadecimal.encode(Array(SHA256.hash(data: bytes).prefix(16))))\""
        }
    }

    /// The metadata of the version that a user gets. Refuses with `not-found` where there is none, saying why.
    func metadata(
        _ appID: String, user: String?, container: MiniProgramVersion, request: VersionRequest?
    ) async throws -> Tagged {
        let (app, build, choice) = try await choice(appID, user: user, container: container, request: request)
        guard let build else {
            let steps = choice.steps.map { "\($0.version): \($0.reason)" }.joined(separator: "; ")
            throw WalletError(code: .notFound, reason: "no version for this container and user\(steps.isEmpty ? "" : ": \(steps)")")
        }
        let workspace = try await context.database.lookup { try SignerRecords.workspace(app.workspace, in: $0) }
        return Tagged(metadata(of: build, app, workspace?.kind ?? .local).body)
    }

    private func metadata(
        of build: MiniProgramBuild, _ app: HostedMiniProgram, _ workspace: MiniProgramMetadata.Workspace
    ) -> MiniProgramMetadata {
        let permissions = build.detail.permissions
        let package = build.detail.packageSHA256.map { sha256 in
            MiniProgramMetadata.Package(
                url: "\(side.origin)\(DeliveryRoutes.base)/packages/\(sha256)", sha256: sha256, size: build.detail.packageSize ?? 0)
        }
        return MiniProgramMetadata(
            appID: app.appID, name: app.profile.name, logo: app.profile.logo ?? "", authClientID: app.profile.authClientID,
            workspace: workspace, version: build.version, minimumContainer: build.offered.minimumContainer,
            features: permissions.features, customInterfaces: permissions.customInterfaces, serverDomains: permissions.serverDomains,
            webPageDomains: permissions.webPageDomains, scenes: permissions.scenes, package: package, webPage: build.detail.webPage)
    }

    /// The platform's signature over metadata.
    func signature(over metadata: [UInt8]) throws(MiniProgramError) -> MetadataSignature {
        try MetadataSignature(over: metadata, by: side.packageKey, keyID: side.packageKeyID, algorithm: side.packageAlgorithm)
    }

    /// One line of a list, as `fetchApps` gives it (mini-programs.md#opening-a-program: at most 50 per answer [D]).
    struct Line: Encodable, Sendable {
        var appId: String
        var name: String
        var slogan: String?
        var logo: String?
        /// What the user gets now.
        var releaseVersion: String
    }

    static let mostLines = 50

    /// The mini programs that a user can open: those that are named, or the first after one.
    func list(_ ids: [String]?, after last: String, user: String?, container: MiniProgramVersion) async throws -> [Line] {
        try await context.database.read { tx in
            let apps =
                try ids.map { try $0.compactMap { try MiniProgramRecords.find($0, in: tx) } }
                ?? MiniProgramRecords.list(after: last, limit: Self.mostLines, in: tx)
            return try apps.filter(\.isOpen).compactMap { app in
                let (_, build, _) = try Self.choice(app, user: user, container: container, request: nil, in: tx)
                return build.map { build in
                    Line(
                        appId: app.appID, name: app.profile.name, slogan: app.profile.slogan, logo: app.profile.logo,
                        releaseVersion: build.version.description)
                }
            }
        }
    }

    /// A package's bytes. Refuses with `not-found` what is not delivered, or not any more.
    func package(_ sha256: String) async throws -> [UInt8] {
        let bytes = try await context.database.read { tx -> [UInt8]? in
            guard sha256.utf8.count == 64, (try? Hexadecimal.decode(sha256)) != nil,
                let build = try MiniProgramRecords.build(package: sha256, in: tx), build.isDelivered,
                try MiniProgramRecords.find(build.appID, in: tx)?.isOpen == true
            else { return nil }
            return try MiniProgramRecords.package(sha256, in: tx)
        }
        guard let bytes else { throw WalletError(code: .notFound, reason: "there is no such package") }
        return bytes
    }

    /// A code that opens a mini program: the link for apps, and what a printed code says.
    struct Code: Sendable, Hashable {
        var id: String
        var deepLink: String
        var content: String
    }

    static let defaultCode = "default"

    /// Both forms of a link. The printed one is an address, so that a phone without the wallet shows something that can be read.
    func code(_ id: String, _ link: MiniProgramLink) -> Code {
        let text = link.text(scheme: side.scheme)
        return Code(id: id, deepLink: text, content: "https://\(side.codeHost)/\(text.dropFirst("\(side.scheme)://".count))")
    }

    /// The code that every mini program has, which opens its first page, and the extra ones.
    func codes(of appID: String) async throws -> [Code] {
        let extra = try await context.database.lookup { try MiniProgramRecords.codes(of: appID, limit: 1_000, in: $0) }
        return try [code(Self.defaultCode, MiniProgramLink(appID: appID, source: Self.defaultCode))]
            + extra.map { code($0.id, try MiniProgramLink($0.link, schemes: [side.scheme])) }
    }

    /// Stores an extra code: a page, and what it and the mini program are started with.
    func put(code id: String, _ link: MiniProgramLink) async throws -> Code {
        guard id != Self.defaultCode, PackageManifest.isAppID(id) else {
            throw WalletError(
                code: .malformedRequest, reason: "a code's id is 1 to 32 letters, digits, - and _, and not \(Self.defaultCode)")
        }
        let (text, now) = (link.text(scheme: side.scheme), context.now())
        try await context.database.writeRepeatably { tx in
            try MiniProgramRecords.put(code: id, link: text, of: link.appID, at: now, in: tx)
        }
        return code(id, link)
    }
}
