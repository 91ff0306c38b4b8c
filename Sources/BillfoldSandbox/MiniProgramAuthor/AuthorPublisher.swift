import BillfoldJSON
import BillfoldStorage
import Foundation
import Logging
import MiniPrograms
import ServiceLifecycle

/// Publishes the author's mini programs when it begins, and again and again until the wallet has them.
///
/// What is there already stays: a version is uploaded once, and another one only where its content is another, as when the author moved.
package struct AuthorPublisher: Service {
    let line: AuthorLine
    let keys: AuthorKeys
    let programs: [AuthorProgram]
    /// The author's own, which goes into the packages.
    let origin: String

    private static let base = "/mini-programs/v1/author/apps"
    /// While the wallet is not there; it may begin later than the author.
    private static let waits: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1), .seconds(5)]

    private var database: any Database { line.surroundings.database }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var tries = 0
            var isDone = false
            while !isDone, !Task.isCancelled {
                do {
                    try await publish()
                    isDone = true
                } catch {
                    line.surroundings.logger.debug("the mini programs are not published yet", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.waits[min(tries, Self.waits.count - 1)])
                    tries += 1
                }
            }
        }
        try await gracefulShutdown()
    }

    /// Takes every mini program as far as it can be taken. Doing it again changes nothing.
    package func publish() async throws {
        _ = try await line.registration.walletKeys()
        for program in programs { _ = try await ask(Self.base, program.profile(at: origin)) }
        // Before the first version: a build has the permissions of the time when it was made.
        try await line.registration.askForGrants(programs)
        for program in programs { try await publish(program) }
    }

    private func publish(_ program: AuthorProgram) async throws {
        let there = try await inquire(program).builds
        var publication = try await wanted(program, builds: there)
        let version = publication.version
        let known = there.first { Self.isBuild($0, of: version) }
        let build: Build
        if let known { build = known } else { build = try await upload(program, version) }
        publication.releaseVersion = build.releaseVersion
        if build.state == ReleaseState.created.name {
            let step = JSONValue.texts(["releaseVersion": build.releaseVersion, "step": "submit"]).object ?? JSONObject()
            _ = try await ask("\(Self.base)/\(program.appID)/steps", step)
        }
        // What an operator gives to a part of the users, or took back, stays with the operator.
        if [ReleaseState.created, .underReview, .preparation].map(\.name).contains(build.state) {
            try await line.registration.askForRelease(program.appID, build.releaseVersion)
        }
        let told = try await inquire(program)
        publication.state = told.builds.first { $0.releaseVersion == build.releaseVersion }?.state ?? build.state
        publication.codes = told.codes
        let row = publication
        try await database.write { try PartyRecords.put(row, in: $0) }
    }

    /// Which version is to be there. It is stored before it is uploaded: an answer that is lost leads to the same upload again, which the
    /// platform knows by its bytes.
    private func wanted(_ program: AuthorProgram, builds: [Build]) async throws -> AuthorPublication {
        let content = try program.content(at: origin)
        let appID = program.appID
        return try await database.write { tx in
            let known = try PartyRecords.find(AuthorPublication.self, appID, in: tx)
            if let known, known.content == content { return known }
            let versions = (builds.map(\.releaseVersion) + (known.map { [$0.version] } ?? [])).compactMap(MiniProgramVersion.init(text:))
            let next = versions.max().map { MiniProgramVersion($0.major, $0.minor, $0.patch + 1) } ?? .init(1, 0, 0)
            let fresh = AuthorPublication(id: appID, content: content, version: next.description)
            try PartyRecords.put(fresh, in: tx)
            return fresh
        }
    }

    private static func isBuild(_ build: Build, of version: String) -> Bool {
        guard var stamped = MiniProgramVersion(text: build.releaseVersion) else { return false }
        stamped.stamp = nil
        return stamped.description == version
    }

    // MARK: Calls

    struct Build: Sendable {
        var releaseVersion: String
        var state: String

        init?(_ value: JSONValue) {
            guard let version = value["releaseVersion"]?.string, let state = value["state"]?.string else { return nil }
            releaseVersion = version
            self.state = state
        }
    }

    private func inquire(_ program: AuthorProgram) async throws -> (builds: [Build], codes: [AuthorPublication.Code]) {
        let object = try await ask("\(Self.base)/\(program.appID)/inquiry", JSONObject())
        let codes = (object["codes"]?.array ?? []).compactMap { code -> AuthorPublication.Code? in
            guard let link = code["deepLink"]?.string, let content = code["content"]?.string else { return nil }
            return .init(deepLink: link, content: content)
        }
        return ((object["builds"]?.array ?? []).compactMap(Build.init), codes)
    }

    private func upload(_ program: AuthorProgram, _ version: String) async throws -> Build {
        guard let number = MiniProgramVersion(text: version) else {
            throw SandboxError(code: .stateUnusable, reason: "a stored version is none")
        }
        let answer: JSONObject
        switch program.kind {
        case .script:
            let archive = try keys.archive(program, version: number, files: program.files(at: origin))
            answer = try await ask(.init("\(Self.base)/\(program.appID)/versions", archive, type: "application/zip"))
        case .web:
            let page = JSONValue.texts(["version": version, "webPage": AuthorProgram.webPage(at: origin)]).object ?? JSONObject()
            answer = try await ask("\(Self.base)/\(program.appID)/pages", page)
        }
        guard let build = Build(.object(answer)) else {
            throw SandboxError(code: .noAnswer, reason: "the platform names no build")
        }
        return build
    }

    private func ask(_ path: String, _ body: JSONObject) async throws -> JSONObject { try await ask(.init(path, JSONWriter.write(body))) }

    /// Signed by the author's tools. Throws where the platform refuses.
    private func ask(_ call: AuthorLine.Call) async throws -> JSONObject {
        let object = try await line.ask(call, as: keys.author)
        let result = try OpenAPIResult(object)
        guard result.resultStatus == .success else {
            throw SandboxError(code: .noAnswer, reason: "\(call.title): \(result.resultCode): \(result.resultMessage)")
        }
        return object
    }
}
