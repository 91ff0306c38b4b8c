import AlipayPlus
import AlipayPlusValues
import BillfoldServer
import HTTPTypes
import Hummingbird
import NIOCore

/// Published files and pictures. Anybody may read them from any place: a merchant's page on another origin shows them.
struct OptionRoutes: Sendable {
    let context: AlipayPlusServerContext
    let service: OptionService

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/cdn/sandbox/:acquirer/:merchant/:product/:currency/:region/:pattern/:file") { request, context in
            try await published(request.uri.path, context.parameters.require("file"))
        }
        router.get("/prod/:acquirer/:merchant/:product/:currency/:region/:pattern/:file") { request, context in
            try await published(request.uri.path, context.parameters.require("file"))
        }
        router.get("/alipay-plus/logos/:name") { _, context in try await logo(context.parameters.require("name")) }
    }

    private func logo(_ name: String) async throws -> Response {
        guard name.hasSuffix(".svg"), let wallet = try await context.parties.wallet(String(name.dropLast(4)))?.wallet else {
            throw AlipayPlusServerError(code: .notFound, reason: "no wallet has that name")
        }
        return Self.drawing(WalletMark.svg(wallet.type, wallet.brand))
    }

    private func published(_ path: String, _ file: String) async throws -> Response {
        let option = PublishedOptionPath.File.option.rawValue
        guard file == option || file == OptionService.picture,
            let place = try? PublishedOptionPath(path: path.dropLast(file.utf8.count) + option), let found = try await service.find(place)
        else { throw AlipayPlusServerError(code: .notFound, reason: "nothing is published under that path") }
        if file == OptionService.picture { return Self.drawing(found.picture) }
        return Self.file("application/json; charset=utf-8", found.option.text)
    }

    private static func drawing(_ svg: String) -> Response { file("image/svg+xml", svg) }

    private static func file(_ type: String, _ text: String) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .accessControlAllowOrigin: "*", .cacheControl: "public, max-age=60",
            // A picture that is opened by itself runs nothing and loads nothing.
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
        ]
        headers[.resourcePolicy] = "cross-origin"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension HTTPField.Name {
    fileprivate static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!  // swift-format-ignore: NeverForceUnwrap
}
