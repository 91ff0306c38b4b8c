import ApplePayApp
import BillfoldWeb
import HTTPTypes
package import Hummingbird

/// The bank's app over HTTP: the page at `/bank`, and its phones under `/bank/phones`.
///
/// - `POST /bank/phones` `{"model","owner"?}` → 201 with a ``BankScreen``
/// - `GET /bank/phones/{id}` (with `?after=N` it waits for a newer screen, for `wait` seconds at most)
/// - `GET /bank/phones/{id}/events`: every screen as server-sent events
/// - `POST /bank/phones/{id}/taps` `{"do","value"?}` → the screen right afterwards
/// - `GET /bank/bridge.js`: what the app gives to the bank's own pages inside it; `POST /bank/phones/{id}/bridge` is the native side,
///   which takes and gives the bridge's messages
package struct BankAppRoutes: Sendable {
    private let directory: BankPhoneDirectory
    private let pages: BankPages
    private let heartbeat: Duration

    /// - Parameter console: The console's origin, such as `http://127.0.0.1:8081`; nil without one.
    package init(directory: BankPhoneDirectory, console: String? = nil, heartbeat: Duration = .seconds(15)) {
        self.directory = directory
        pages = BankPages(console: console)
        self.heartbeat = heartbeat
    }

    struct Opening: Codable {
        var model: BankPhoneModel
        /// Whose phone it is: 1 to 64 letters, digits, dots, hyphens and underscores.
        var owner: String?

        private enum CodingKeys: String, CodingKey, CaseIterable { case model, owner }

        init(model: BankPhoneModel) { self.model = model }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a phone")
            let values = try decoder.container(keyedBy: CodingKeys.self)
            model = try values.decode(BankPhoneModel.self, forKey: .model)
            owner = try values.decodeIfPresent(String.self, forKey: .owner)
            guard owner?.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil || owner == nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: .owner, in: values, debugDescription: "owner is 1 to 64 letters, digits, dots, hyphens and underscores")
            }
        }
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let bank = router.group("bank").add(middleware: SandboxErrors())
        bank.get("") { [pages] _, _ in
            SandboxBody.page(try pages.phone(), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
        }
        bank.get("bridge.js") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: WalletBridge.script)))
        }
        let phones = bank.group("phones")
        phones.post("") { [directory] request, _ in
            let opening = try await SandboxBody.decode(Opening.self, from: request)
            return try SandboxBody.json(await directory.open(opening.model, of: opening.owner).screen, status: .created)
        }
        phones.get("{id}") { [directory] request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            let (after, wait) = try ScreenQuery.read(request)
            return try SandboxBody.json(await session.feed.screen(after: after, atMost: wait))
        }
        phones.get("{id}/events") { [directory, heartbeat] _, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            return Response.events(of: await session.feed.screens(), heartbeat: heartbeat)
        }
        phones.post("{id}/taps") { [directory] request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            let tap = try await SandboxBody.decode(BankTap.self, from: request)
            try await session.perform(tap)
            return try SandboxBody.json(await session.screen)
        }
        phones.post("{id}/bridge") { [directory] request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            let message = String(buffer: try await SandboxBody.bytes(of: request))
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: try await session.answer(message))))
        }
    }
}
