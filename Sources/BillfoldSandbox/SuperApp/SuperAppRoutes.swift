import BillfoldWeb
import Foundation
import HTTPTypes
public import Hummingbird
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
/// - `POST …/taps`, `…/open` `{"url"}`, `…/frames` and `…/pictures?from=camera|album` with a picture's bytes
public struct SuperAppRoutes: Sendable {
    let phones: SuperAppPhones
    let pages: SuperAppPages
    /// The origins of pages that the frame may show.
    let framed: [String]
    var heartbeat = Duration.seconds(15)

    static let cookie = "super-app-phone"
    /// In bytes, of one photograph.
    public static let pictureLimit = 16 << 20

    private struct Opening: Codable, StrictBody {
        static let members: [String] = []
    }

    private struct Address: Codable, StrictBody {
        static let members = ["url"]
        var url: String
    }

    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (phones, pages, framed) = (phones, pages, framed)
        let app = router.group("super-app").add(middleware: SandboxErrors())
        app.get("") { request, _ in
            let phone = await phones.find(Self.held(request))
            var answer = SandboxBody.page(
                try pages.phone(session: phone?.id), contentSecurityPolicy: WebAssets.framingPolicy(framed))
            answer.headers[.permissionsPolicy] = WebAssets.cameraPermissions
            return answer
        }
        app.get("open") { request, _ in
            guard let url = request.uri.queryParameters["url"].map(String.init) else {
                throw SandboxRefusal(code: "url-missing", reason: "no address to open", status: 400)
            }
            guard let phone = await phones.find(Self.held(request)) else {
                throw SandboxRefusal(code: "session-unknown", reason: "this browser holds no phone", status: 404)
            }
            try await phone.open(url)
            return Response(status: .seeOther, headers: [.location: "/super-app/", .cacheControl: "no-store"])
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
            return ScreenEventStream(screens: await phone.feed.screens(), heartbeat: heartbeat).response
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
        let values = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(cookie + "=") ? String(pair.dropFirst(cookie.utf8.count + 1)) : nil
        }
        return values.count == 1 ? values[0] : ""
    }
}

extension HTTPField.Name {
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!  // swift-format-ignore: NeverForceUnwrap
}

/// The phones that are in use. When there are too many, the one that was taken up longest ago is put away.
@MainActor
public final class SuperAppPhones {
    private let surroundings: SuperAppSurroundings
    private let limit: Int
    private var phones: [String: SuperAppPhone] = [:]
    private var order: [String] = []

    init(surroundings: SuperAppSurroundings, limit: Int = 100) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
    }

    /// Hands out a phone on which nobody is signed in.
    public func open() -> SuperAppPhone {
        let phone = SuperAppPhone(id: surroundings.reporter.makeName(), surroundings: surroundings)
        phones[phone.id] = phone
        order.append(phone.id)
        while order.count > limit { phones.removeValue(forKey: order.removeFirst())?.putAway() }
        return phone
    }

    public func find(_ id: String) -> SuperAppPhone? { phones[id] }

    public func phone(_ id: String) throws(SandboxRefusal) -> SuperAppPhone {
        guard let phone = phones[id] else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return phone
    }
}
