import Foundation
import HTTPTypes
package import Hummingbird

/// The JSON and event-stream interface of phone sessions, under `/phone`.
package struct PhoneRoutes: Sendable {
    private let directory: PhoneDirectory
    private let heartbeat: Duration

    package init(directory: PhoneDirectory, heartbeat: Duration = .seconds(15)) {
        self.directory = directory
        self.heartbeat = heartbeat
    }

    struct Opening: Codable {
        var model: PhoneModel
        var lines: [CartLine]

        private enum CodingKeys: String, CodingKey, CaseIterable { case model, lines }

        init(model: PhoneModel, lines: [CartLine]) {
            self.model = model
            self.lines = lines
        }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a phone")
            let container = try decoder.container(keyedBy: CodingKeys.self)
            model = try container.decode(PhoneModel.self, forKey: .model)
            lines = try container.decode([CartLine].self, forKey: .lines)
        }
    }

    /// `POST /phone/sessions`, `GET /phone/sessions/{id}` (with `?after=N` it waits for a newer screen, for
    /// `wait` seconds at most), `GET /phone/sessions/{id}/events` and `POST /phone/sessions/{id}/taps`.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let phone = router.group("phone/sessions").add(middleware: SandboxErrors())
        phone.post("") { [directory] request, _ in
            let opening = try await SandboxBody.decode(Opening.self, from: request)
            let session = await directory.open(opening.model, lines: opening.lines)
            return try SandboxBody.json(await session.screen, status: .created)
        }
        phone.get("{id}") { [directory] request, context in
            let session = try await Self.session(directory, context)
            let (after, wait) = try ScreenQuery.read(request)
            return try SandboxBody.json(await session.feed.screen(after: after, atMost: wait))
        }
        phone.get("{id}/events") { [directory, heartbeat] _, context in
            let session = try await Self.session(directory, context)
            return Response.events(of: await session.screens(), heartbeat: heartbeat)
        }
        phone.post("{id}/taps") { [directory] request, context in
            let session = try await Self.session(directory, context)
            let tap = try await SandboxBody.decode(PhoneTap.self, from: request)
            try await session.perform(tap)
            return try SandboxBody.json(await session.screen)
        }
    }

    private static func session(_ directory: PhoneDirectory, _ context: some RequestContext) async throws -> PhoneSession {
        try await directory.session(context.parameters.get("id") ?? "")
    }
}

/// Which screen somebody waits for: `?after=N&wait=SECONDS`.
enum ScreenQuery {
    static func read(_ request: Request) throws(SandboxRefusal) -> (after: Int, wait: Duration) {
        let query = request.uri.queryParameters
        // Every revision is greater than the least number: without `after` nobody waits.
        guard let after = query["after"].map({ Int($0) }) ?? Int.min, let wait = Int(query["wait"] ?? "20"), (0...20).contains(wait)
        else {
            throw SandboxRefusal(
                code: "query-malformed", reason: "after is a screen's revision, and wait a number of seconds, 20 at most", status: 400)
        }
        return (after, .seconds(wait))
    }
}
