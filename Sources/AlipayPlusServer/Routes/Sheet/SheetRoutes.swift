import AlipayPlus
import AlipayPlusValues
import BillfoldServer
import BillfoldWeb
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The payment sheet: `/sheet/<reference>`, and `/entry/<reference>` for whoever scanned a store's code.
///
/// Whoever has the address may pay, and nothing on it moves money: a choice is a form's post that leads on by redirect.
struct SheetRoutes: Sendable {
    let context: AlipayPlusServerContext
    let service: SheetService
    let pages: SheetPages

    /// A form of this page has few fields.
    private static let formLimit = 8_192

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/sheet/:reference") { request, context in try await show(request, context.parameters.require("reference")) }
        router.get("/entry/:reference") { request, context in try await show(request, context.parameters.require("reference")) }
        router.get("/sheet/:reference/state") { request, context in
            let payment = try await service.payment(context.parameters.require("reference"))
            let scene = try await service.scene(payment, SheetVisit(request))
            return try JSONAnswer.make(
                State(view: scene.view.rawValue, left: SheetPages.left(payment, at: scene.now)), headers: [.cacheControl: "no-store"])
        }
        router.post("/sheet/:reference/choices") { request, context in try await choose(request, context.parameters.require("reference")) }
    }

    private struct State: Encodable {
        var view: String
        /// Milliseconds until the payment's time is over.
        var left: Int64
    }

    private struct Chosen: Encodable {
        var walletName: String
    }

    private func show(_ request: Request, _ reference: String) async throws -> Response {
        let visit = SheetVisit(request)
        do {
            let scene = try await service.scene(service.payment(reference), visit)
            return html(try pages.html(scene, visit), visit, hosts: scene.hosts)
        } catch let error as AlipayPlusServerError where error.code == .notFound && Self.wantsPage(request) {
            return html(try pages.missing(visit), visit, status: .notFound)
        }
    }

    private func choose(_ request: Request, _ reference: String) async throws -> Response {
        let payment = try await service.payment(reference)
        let form = try await fields(request)
        let visit = SheetVisit(acceptLanguage: request.headers[.acceptLanguage]) { form[$0] }
        do {
            guard let wallet = visit.chosen else {
                throw AlipayPlusServerError(code: .malformedRequest, reason: "the field wallet names no wallet")
            }
            let choice = try await service.choose(wallet, for: payment, visit)
            guard Self.wantsPage(request) else {
                return try JSONAnswer.make(Chosen(walletName: choice.wallet.type), headers: [.cacheControl: "no-store"])
            }
            return Self.redirect("/sheet/\(reference)?\(visit.query(wallet: choice.wallet.type))")
        } catch let error as AlipayPlusServerError where Self.wantsPage(request) {
            // The page says how the payment stands, in the person's words.
            context.logger.debug("a choice was refused", metadata: ["code": "\(error.code)"])
            return Self.redirect("/sheet/\(reference)?\(visit.query(choosesAnew: true))")
        }
    }

    private func fields(_ request: Request) async throws -> FormFields {
        try request.requireMediaType("application/x-www-form-urlencoded")
        do { return FormFields(String(buffer: try await request.body.collect(upTo: Self.formLimit))) } catch is NIOTooManyBytesError {
            throw ServerError(code: .bodyTooLarge, reason: "the body has more than \(Self.formLimit) bytes", status: .contentTooLarge)
        }
    }

    private static func wantsPage(_ request: Request) -> Bool { request.headers[.accept]?.contains("text/html") ?? false }

    private static func redirect(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }

    private func html(_ page: String, _ visit: SheetVisit, hosts: [String] = [], status: HTTPResponse.Status = .ok) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentLanguage: visit.language.htmlTag,
            .contentSecurityPolicy: Self.policy(hosts),
        ]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Nobody frames the sheet, but in test mode the acquirer's registered origins: a phone that is drawn on a page shows its app's web
    /// view so.
    static func policy(_ hosts: [String]) -> String {
        let own = hosts.filter { origin in
            !origin.isEmpty
                && origin.utf8.allSatisfy { (0x21...0x7e).contains($0) && ![UInt8(ascii: ";"), UInt8(ascii: ",")].contains($0) }
        }
        guard !own.isEmpty else { return PagePolicy.contentSecurityPolicy }
        return PagePolicy.contentSecurityPolicy.replacing("frame-ancestors 'none'", with: "frame-ancestors \(own.joined(separator: " "))")
    }
}
