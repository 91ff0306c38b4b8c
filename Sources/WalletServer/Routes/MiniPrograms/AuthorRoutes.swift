import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import Hummingbird
import MiniPrograms

/// What authors' servers and tools do with signed calls, in the envelope of the OAuth server. The paths are ours [I].
struct AuthorRoutes: Sendable {
    let envelope: OpenAPIEnvelope
    let intake: PackageIntake
    let releases: ReleaseService
    let delivery: DeliveryService
    let context: WalletContext

    private typealias Reader = SuperAppWish.Reader

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/mini-programs/v1/author/apps") { request, _ in
            try await signed(request) { call, author in
                let reader = try Reader(call.body, allowing: SuperAppWish.appMembers)
                return try await put(SuperAppWish.app(reader, by: author, in: context.configuration.mode), by: author)
            }
        }
        router.post("/mini-programs/v1/author/apps/:appId/versions") { request, routed in
            let appID = try routed.parameters.require("appId")
            return try await signed(request, limit: envelope.side.maximumPackageBytes, isJSON: false) { call, author in
                Self.answer(try await intake.take(call.body, appID: Self.appID(appID), by: author))
            }
        }
        router.post("/mini-programs/v1/author/apps/:appId/pages") { request, routed in
            let appID = try routed.parameters.require("appId")
            return try await signed(request) { call, author in
                let reader = try Reader(call.body, allowing: ["version", "webPage"])
                return Self.answer(
                    try await intake.take(
                        webPage: reader.text("webPage", maximum: 2_048), version: reader.text("version", maximum: 64),
                        appID: Self.appID(appID), by: author))
            }
        }
        router.post("/mini-programs/v1/author/apps/:appId/steps") { request, routed in
            let appID = try routed.parameters.require("appId")
            return try await signed(request) { call, author in
                Self.answer(try await releases.take(Self.step(call, of: Self.appID(appID), by: author), by: "author \(author.id)"))
            }
        }
        router.post("/mini-programs/v1/author/apps/:appId/inquiry") { request, routed in
            let appID = try routed.parameters.require("appId")
            return try await signed(request) { _, author in try await inquiry(Self.appID(appID), by: author) }
        }
        router.post("/mini-programs/v1/author/apps/:appId/codes") { request, routed in
            let appID = try routed.parameters.require("appId")
            return try await signed(request) { call, author in try await put(code: call, Self.appID(appID), by: author) }
        }
    }

    private func signed(
        _ request: Request, limit: Int = OpenAPIEnvelope.bodyLimit, isJSON: Bool = true,
        _ body: @Sendable (SignedCall, MiniProgramAuthor) async throws -> OpenAPIAnswer
    ) async throws -> Response {
        try await envelope.answer(request, from: .author, limit: limit, isJSON: isJSON) { call in
            guard case .author(let author) = call.party.who else { throw OpenAPIRefusal(.invalidAuthClient) }
            return try await body(call, author)
        }
    }

    private static func appID(_ text: String) throws(WalletError) -> String {
        guard PackageManifest.isAppID(text) else { throw WalletError(code: .notFound, reason: "the author has no such mini program") }
        return text
    }

    /// Makes a mini program, or replaces what its author says of it.
    private func put(_ wish: HostedMiniProgram, by author: MiniProgramAuthor) async throws -> OpenAPIAnswer {
        guard author.workspaces.contains(wish.workspace) else {
            throw OpenAPIRefusal(.accessDenied, "the author is no member of the workspace")
        }
        let (now, context) = (context.now(), context)
        try await context.database.writeRepeatably { tx in
            if try MiniProgramRecords.insert(wish, at: now, in: tx) {
                try context.audit(
                    "mini-program.make", object: wish.appID, result: wish.workspace, by: "author \(author.id)", at: now, in: tx)
                return
            }
            guard var app = try MiniProgramRecords.take(wish.appID, in: tx), app.author == author.id, app.workspace == wish.workspace else {
                throw WalletError(code: .identityTaken, reason: "the id belongs to another author, or to another workspace")
            }
            guard app.profile != wish.profile else { return }
            app.profile = wish.profile
            try MiniProgramRecords.update(app, in: tx)
            try context.audit(
                "mini-program.edit", object: wish.appID, result: "client \(wish.profile.authClientID ?? "none")", by: "author \(author.id)",
                at: now, in: tx
            )
        }
        return OpenAPIAnswer(.success)
    }

    /// The steps that only concern the author: to review, back from it, to the test group after it, and the end before a release.
    private static func step(_ call: SignedCall, of appID: String, by author: MiniProgramAuthor) throws -> ReleaseService.Step {
        let reader = try Reader(call.body, allowing: ["releaseVersion", "step", "users"])
        let events: [String: ReleaseState.Event] = [
            "submit": .submit, "withdraw": .withdraw, "pilot": .startPilot, "cancel": .cancel,
        ]
        guard let event = events[try reader.text("step", maximum: 16)] else {
            throw Reader.malformed("step", "is none of submit, withdraw, pilot and cancel")
        }
        guard let version = MiniProgramVersion(text: try reader.text("releaseVersion", maximum: 64)) else {
            throw Reader.malformed("releaseVersion", "is no version")
        }
        let users = try reader.texts("users", maximum: ReleaseService.mostPilotUsers, length: 16)
        return ReleaseService.Step(
            appID: appID, version: version, event: event,
            pilotUsers: event == .startPilot ? try ReleaseService.pilotUsers(users) : nil, author: author.id)
    }

    private func app(_ appID: String, of author: MiniProgramAuthor) async throws -> HostedMiniProgram {
        guard let app = try await context.database.lookup({ try MiniProgramRecords.find(appID, in: $0) }), app.author == author.id else {
            throw WalletError(code: .notFound, reason: "the author has no such mini program")
        }
        return app
    }

    private func inquiry(_ appID: String, by author: MiniProgramAuthor) async throws -> OpenAPIAnswer {
        let app = try await app(appID, of: author)
        let builds = try await context.database.read { try MiniProgramRecords.builds(appID, in: $0) }
        var object = JSONObject([.init("result", OpenAPIResult.success.json), .init("appId", .string(appID))])
        object["state"] = .string(app.isOpen ? "open" : "taken-down")
        object["features"] = .array(app.grant.features.map { .string($0) })
        object["builds"] = .array(builds.reversed().map(Self.json))
        object["codes"] = .array(try await delivery.codes(of: appID).map(Self.json))
        return OpenAPIAnswer(.success, JSONWriter.write(object))
    }

    private func put(code call: SignedCall, _ appID: String, by author: MiniProgramAuthor) async throws -> OpenAPIAnswer {
        _ = try await app(appID, of: author)
        let reader = try Reader(call.body, allowing: ["codeId", "page", "pageQuery", "query"])
        let id = try reader.text("codeId", maximum: 32)
        let link = try MiniProgramLink(
            appID: appID, page: try reader.optionalText("page", maximum: 256),
            pageQuery: try MiniProgramLink.items(of: try reader.optionalText("pageQuery", maximum: 1_024) ?? ""),
            query: try MiniProgramLink.items(of: try reader.optionalText("query", maximum: 1_024) ?? ""), source: id)
        let code = try await delivery.put(code: id, link)
        return OpenAPIAnswer(
            .success, JSONWriter.write(JSONObject([.init("result", OpenAPIResult.success.json), .init("code", Self.json(code))])))
    }

    private static func answer(_ build: MiniProgramBuild) -> OpenAPIAnswer {
        var object = json(build).object ?? JSONObject()
        object.members.insert(.init("result", OpenAPIResult.success.json), at: 0)
        return OpenAPIAnswer(.success, JSONWriter.write(object))
    }

    private static func json(_ build: MiniProgramBuild) -> JSONValue {
        .texts(["releaseVersion": build.version.description, "state": build.state.name, "sha256": build.packageSHA256])
    }

    private static func json(_ code: DeliveryService.Code) -> JSONValue {
        .texts(["codeId": code.id, "deepLink": code.deepLink, "content": code.content])
    }
}
