import BillfoldServer
import BillfoldStorage
import MiniPrograms
import PaymentCrypto

extension MiniProgramOffice: MiniProgramDesk {
    private static let mostLines = 500

    /// The first 500 mini programs and servers.
    package func shelf() async throws -> MiniProgramShelf {
        let programs = try await miniPrograms(limit: Self.mostLines)
        let builds = try await context.database.read { tx in
            try programs.map { try MiniProgramRecords.builds($0.appID, states: [.underReview, .released], in: tx) }
        }
        let signers =
            try await authors(limit: Self.mostLines).map {
                MiniProgramShelf.Signer(id: $0.id, name: $0.name, kind: "author", members: $0.workspaces.sorted(), isOpen: $0.isOpen)
            }
            + clients(limit: Self.mostLines).map {
                MiniProgramShelf.Signer(id: $0.id, name: $0.name, kind: "client", members: $0.apps.sorted(), isOpen: $0.isOpen)
            }
        return MiniProgramShelf(
            programs: zip(programs, builds).map(Self.line), signers: signers,
            keys: [
                .init(use: "Answers to servers, version \(side.keyVersion)", pem: side.key.publicKey.pem),
                .init(use: "Packages and metadata, \(side.packageKeyID)", pem: side.packageKey.publicKey.pem),
            ])
    }

    package func miniProgram(_ appID: String) async throws -> MiniProgramView? {
        let found = try await context.database.read { tx in
            try MiniProgramRecords.find(appID, in: tx).map { ($0, try MiniProgramRecords.builds(appID, in: tx)) }
        }
        guard let (app, builds) = found else { return nil }
        let scopes = side.scopes.merging(app.grant.rules) { $1 }.sorted { $0.key < $1.key }
        return MiniProgramView(
            program: Self.line(app, builds), slogan: app.profile.slogan, authClientID: app.profile.authClientID,
            serverDomains: app.profile.serverDomains, webPageDomains: app.profile.webPageDomains, features: app.grant.features,
            customInterfaces: app.grant.customInterfaces, scenes: app.grant.scenes,
            scopes: scopes.map { .init(name: $0.key, rule: $0.value.rawValue, isOwn: app.grant.scopes[$0.key] != nil) },
            builds: builds.reversed().map(Self.build),
            codes: try await codes(of: appID).map { .init(id: $0.id, deepLink: $0.deepLink, content: $0.content) })
    }

    private static func line(_ app: HostedMiniProgram, _ builds: [MiniProgramBuild]) -> MiniProgramShelf.Program {
        MiniProgramShelf.Program(
            appID: app.appID, name: app.profile.name, author: app.author, workspace: app.workspace,
            released: builds.last { $0.state == .released }?.version.description, waiting: builds.count { $0.state == .underReview },
            isOpen: app.isOpen)
    }

    private static func build(_ build: MiniProgramBuild) -> MiniProgramView.Build {
        var percent: Int?
        if case .grayscale(let share) = build.state { percent = share }
        return MiniProgramView.Build(
            version: build.version.description, state: build.state.name, percent: percent, testGroup: build.pilotUsers,
            minimumContainer: build.detail.minimumContainer, sha256: build.packageSHA256, webPage: build.detail.webPage,
            madeAt: build.createdAt.microseconds,
            steps: MiniProgramView.Step.allCases.filter { (try? build.state.applying($0.event)) != nil })
    }
}
