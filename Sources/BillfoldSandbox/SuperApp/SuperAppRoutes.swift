import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import WalletAPI

/// What a page in the frame said, as the page around it hands it on.
struct SuperAppFrame: Codable, StrictBody {
    static let members = ["text", "origin", "hasTap"]
    var text: String
    /// As the browser gave it with the message, never as the page says.
    var origin: String
    /// Whether the person had just touched something.
    var hasTap: Bool
}

/// The phones with the super app, over HTTP.
///
/// - `GET /super-app`: the page
/// - `GET /super-app/open?url=…`: the system opens the app of the phone that the browser is
/// - `POST /super-app/phones` `{}` → 201 with a ``SuperAppScreen``; the browser is that phone from then on
/// - `GET /super-app/phones/{id}` (with `?after=N` it waits for a newer screen, for `wait` seconds at most), and `…/events`
/// - `POST …/taps`, `…/open` `{"url"}`, `…/frames`, `…/deliveries` `{"seen"}` and `…/pictures?from=camera|album` with a picture's bytes
package struct SuperAppRoutes: Sendable {
    let phones: SuperAppPhones
    let pages: SuperAppPages
    /// Where browsers find the phones.
    let origin: String
    /// The origins of pages that the frame may show.
    let framed: [String]
    var heartbeat = Duration.seconds(15)

    static let cookie = "super-app-phone"
    /// In bytes, of one photograph.
    package static let pictureLimit = 16 << 20

    private struct Opening: Codable, StrictBody {
        static let members: [String] = []
    }

    private struct Seen: Codable, StrictBody {
        static let members = ["seen"]
        var seen: Int
    }

    private struct Address: Codable, StrictBody {
        static let members = ["url"]
        var url: String
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (phones, pages, origin, framed) = (phones, pages, origin, framed)
        let app = router.group("super-app").add(middleware: SandboxErrors())
        app.get("") { request, _ in
            // Under another name of this machine the pages in the frame would not be shown.
            if let authority = request.head.authority, URL(string: origin)?.authority != authority.lowercased() {
                return Response(status: .seeOther, headers: [.location: "\(origin)/super-app/", .cacheControl: "no-store"])
            }
            let phone = await phones.find(Self.held(request))
            var answer = SandboxBody.page(
                try pages.phone(session: phone?.id), contentSecurityPolicy: PagePolicy.framingPolicy(framed))
            answer.headers[.permissionsPolicy] = PagePolicy.cameraPermissions
            return answer
        }
        app.get("open") { request, _ in
            // A navigation opens an app; a picture or a script of another page does not.
            guard [nil, "navigate"].contains(request.headers[.fetchMode]), [nil, "document"].contains(request.headers[.fetchDest]) else {
                throw SandboxRefusal(code: "no-navigation", reason: "an app is opened by going to its address", status: 403)
            }
            guard let url = request.uri.queryParameters["url"].map(String.init) else {
                throw SandboxRefusal(code: "url-missing", reason: "no address to open", status: 400)
            }
            let phone = await phones.find(Self.held(request))
            var isTaken = false
            if let phone { isTaken = await (try? phone.open(url)) != nil }
            return SandboxBody.page(try pages.back(isTaken: isTaken), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
        }
        add(to: app.group("phones"))
    }

    private func add<Context: RequestContext>(to router: RouterGroup<Context>) {
        let (phones, heartbeat) = (phones, heartbeat)
        router.post("") { request, _ in
            _ = try await PartyRequest(request).decode(Opening.self)
            let phone = await phones.open()
            var answer = try SandboxBody.json(await phone.screen, status: .created)
            answer.headers[.setCookie] = "\(Self.cookie)=\(phone.id); Path=/super-app; HttpOnly; SameSite=Lax"
            return answer
        }
        router.get("{id}") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            let (after, wait) = try ScreenQuery.read(request)
            return try SandboxBody.json(await phone.feed.screen(after: after, atMost: wait))
        }
        router.get("{id}/events") { _, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            return Response.events(of: await phone.feed.screens(), heartbeat: heartbeat)
        }
        router.post("{id}/taps") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            try await phone.perform(try await PartyRequest(request).decode(SuperAppTap.self))
            return try SandboxBody.json(await phone.screen)
        }
        router.post("{id}/open") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            try await phone.open(try await PartyRequest(request).decode(Address.self).url)
            return try SandboxBody.json(await phone.screen)
        }
        router.post("{id}/frames") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            try await phone.receive(try await PartyRequest(request, limit: 2_200_000).decode(SuperAppFrame.self))
            return Response(status: .noContent)
        }
        router.post("{id}/deliveries") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            await phone.acknowledge(deliveriesUpTo: try await PartyRequest(request).decode(Seen.self).seen)
            return Response(status: .noContent)
        }
        router.post("{id}/pictures") { request, context in
            let phone = try await phones.phone(context.parameters.get("id") ?? "")
            guard let from = request.uri.queryParameters["from"].flatMap({ CodePicture.Origin(rawValue: String($0)) }) else {
                throw SandboxRefusal(code: "query-malformed", reason: "from is camera or album", status: 400)
            }
            let bytes = try await PartyRequest(request, limit: Self.pictureLimit).body
            try await phone.receive(CodePicture(bytes: bytes, origin: from))
            return Response(status: .noContent)
        }
    }

    /// The phone that the browser says it is; nothing where it names several.
    private static func held(_ request: Request) -> String {
        Cookies.value(of: cookie, in: request.headers[values: .cookie]) ?? ""
    }
}

extension HTTPField.Name {
    fileprivate static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")!  // swift-format-ignore: NeverForceUnwrap
    fileprivate static let fetchDest = HTTPField.Name("Sec-Fetch-Dest")!  // swift-format-ignore: NeverForceUnwrap
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!  // swift-format-ignore: NeverForceUnwrap
}

extension URL {
    /// Host and port, as `Host` names them.
    fileprivate var authority: String? { host().map { name in port.map { "\(name):\($0)" } ?? name }?.lowercased() }
}

/// The phones that are in use. Those that nobody has looked at or touched for a while are put away, and when there are too many, the one
/// that has been idle longest.
@MainActor
package final class SuperAppPhones {
    private let surroundings: SuperAppSurroundings
    private let limit: Int
    private let patience: Duration
    private var phones: [String: SuperAppPhone] = [:]
    /// When each was last asked for, by a clock that nobody moves.
    private var used: [String: ContinuousClock.Instant] = [:]

    init(surroundings: SuperAppSurroundings, limit: Int = 100, patience: Duration = .seconds(900)) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
        self.patience = patience
    }

    /// Hands out a phone on which nobody is signed in.
    package func open() -> SuperAppPhone {
        sweep()
        let phone = SuperAppPhone(id: surroundings.reporter.makeName(), surroundings: surroundings)
        phones[phone.id] = phone
        used[phone.id] = .now
        return phone
    }

    private func sweep() {
        let end = ContinuousClock.now - patience
        let idle = used.filter { phones[$0.key]?.isWatched != true }.sorted { $0.value < $1.value }
        var old = idle.filter { $0.value < end }.map(\.key)
        // Whoever is watched stays as long as there is one that is not.
        let surplus = phones.count - old.count - limit + 1
        if surplus > 0 {
            let rest = idle.map(\.key) + used.filter { phones[$0.key]?.isWatched == true }.sorted { $0.value < $1.value }.map(\.key)
            old += rest.filter { !old.contains($0) }.prefix(surplus)
        }
        for id in old {
            phones.removeValue(forKey: id)?.putAway()
            used[id] = nil
        }
    }

    package func find(_ id: String) -> SuperAppPhone? {
        if phones[id] != nil { used[id] = .now }
        return phones[id]
    }

    package func phone(_ id: String) throws(SandboxRefusal) -> SuperAppPhone {
        guard let phone = find(id) else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return phone
    }
}
