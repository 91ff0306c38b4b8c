import Alipay
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldTrace
import HTTPTypes
import Hummingbird
import Logging

/// `/gateway.do` of both generations, and the addresses of bills.
struct OrderGatewayRoutes: Sendable {
    let context: AlipayServerContext
    let modern: ModernGateway
    let legacy: LegacyGateway
    let confirmation: RefundConfirmation
    let bills: Bills

    static let path = "/gateway.do"

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.get("/gateway.do") { request, context in try await answer(request, body: [], from: CallerName.of(context.remoteAddress)) }
        router.post("/gateway.do") { request, context in
            let (body, isWhole) = try await request.head(upTo: Request.gatewayBodyLimit)
            guard isWhole else {
                // The query and the beginning say of which generation it is.
                let limit = AlipayError(code: .tooLarge, reason: "the body has more than \(Request.gatewayBodyLimit) bytes")
                return try await unreadable(limit, query: Array((request.uri.query ?? "").utf8), body: body)
            }
            return try await answer(request, body: body, from: CallerName.of(context.remoteAddress))
        }
        router.get("\(Bills.path)/:token") { _, parameters in
            guard let (name, bytes) = try await bills.file(parameters.parameters.require("token")) else {
                throw AlipayServerError(code: .notFound, reason: "there is no bill at this address, or not any more")
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/zip", .contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }

    /// Answers in the caller's own form whatever happens: its library reads no other.
    private func answer(_ request: Request, body: [UInt8], from caller: String) async throws -> Response {
        let query = Array((request.uri.query ?? "").utf8)
        do {
            return try await answer(request, query: query, body: body, from: caller)
        } catch let error as CancellationError {
            throw error
        } catch let error as ServerError where error.status == .tooManyRequests {
            // The one word that is not said in a form: `false` would call a genuine notification forged.
            throw error
        } catch {
            context.logger.error("a call could not be answered", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
            context.metrics.called("failed", "unavailable")
            guard !Self.isLegacy(query, body) else {
                return Self.response(
                    try LegacyAnswer.failure(LegacyErrorCode.systemError.rawValue, charset: .gbk), type: "text/xml", charset: .gbk)
            }
            return Self.html(try await ModernAnswer.make(ModernRefusal.unavailable.failure.node, answering: "error", by: nil), .utf8)
        }
    }

    /// Of which generation a call looks, where it could not be read.
    private static func isLegacy(_ query: [UInt8], _ body: [UInt8]) -> Bool {
        let text = String(decoding: query + [UInt8(ascii: "&")] + body.prefix(65_536), as: UTF8.self)
        return text.contains("service=") && !text.contains("method=")
    }

    private func answer(_ request: Request, query: [UInt8], body: [UInt8], from caller: String) async throws -> Response {
        let parsed: AlipayGatewayRequest
        var form: MultipartForm?
        do {
            if let boundary = request.headers[.contentType].flatMap(MultipartForm.boundary) {
                form = try MultipartForm(body, boundary: boundary)
            }
            parsed = try await read { [form] mode in
                if let form {
                    try AlipayGatewayRequest(query: query, form: form, mode: mode)
                } else {
                    try AlipayGatewayRequest(query: query, body: body, mode: mode)
                }
            }
        } catch let error as AlipayError {
            return try await unreadable(error, query: query, body: body)
        }
        var story = context.trace.isReportedByCaller(request.headers) ? nil : Self.story(parsed)
        // Whoever is not verified yet writes into nobody's story.
        if context.configuration.mode == .production { story?.about = [:] }
        let told = story
        if let story {
            context.trace.record(story.title, .request, from: OrderGatewayTrace.merchant, to: OrderGatewayTrace.gateway, about: story.about)
        }
        defer {
            if let story = told {
                context.trace.record(
                    story.title, .response, from: OrderGatewayTrace.gateway, to: OrderGatewayTrace.merchant, about: story.about)
            }
        }
        switch parsed {
        case .modern(let call): return Self.html(try await modern.answer(call), call.parameters.charset)
        case .legacy(let call) where call.service == RefundConfirmation.service:
            return RefundConfirmationRoutes.response(try await confirmation.show(call))
        case .legacy(let call):
            let (bytes, charset, isXML) = try await legacy.answer(call, from: caller, file: form?.file)
            return isXML ? Self.response(bytes, type: "text/xml", charset: charset) : Self.html(bytes, charset)
        }
    }

    /// What a call is about, by its own words: it is not verified yet.
    private static func story(_ request: AlipayGatewayRequest) -> (title: String, about: [String: String]) {
        var about: [String: String] = [:]
        switch request {
        case .modern(let call):
            let content = call.parameters["biz_content"].flatMap { try? AlipayJSON.read($0) }
            about["alipay.order"] = content?["out_trade_no"]?.scalar
            about["alipay.trade"] = content?["trade_no"]?.scalar
            return (call.method ?? "gateway call", about.filter { !$0.value.isEmpty })
        case .legacy(let call):
            about["alipay.order"] = call.parameters["out_trade_no"] ?? call.parameters["out_order_no"]
            about["alipay.trade"] = call.parameters["trade_no"]
            return (call.service ?? "gateway call", about.filter { !$0.value.isEmpty })
        }
    }

    /// Reads the parameters as the merchant's contract says: a charset in the body alone counts in the lenient mode only.
    private func read(_ parse: (AlipayGatewayRequest.CharsetMode) throws -> AlipayGatewayRequest) async throws -> AlipayGatewayRequest {
        let lenient = try parse(.lenient)
        var merchant: AlipayMerchant?
        switch lenient {
        case .modern(let call):
            if let appID = call.appID, appID.utf8.count <= 32 { merchant = try await context.merchants.application(appID)?.merchant }
        case .legacy(let call):
            if let id = call.partner, let partner = try? MerchantID(id) {
                merchant = try await context.merchants.partner(partner)?.merchant
            }
        }
        guard merchant?.charsetMode == .documented else { return lenient }
        return try parse(.documented)
    }

    /// What cannot be read is answered in the form of the generation that it looks like.
    private func unreadable(_ error: AlipayError, query: [UInt8], body: [UInt8]) async throws -> Response {
        context.metrics.called("unreadable", error.code.description)
        if Self.isLegacy(query, body) {
            return Self.response(try LegacyAnswer.failure(LegacyErrorCode(error).rawValue, charset: .gbk), type: "text/xml", charset: .gbk)
        }
        return Self.html(try await ModernAnswer.make(ModernFailure(error).node, answering: "error", by: nil), .utf8)
    }

    private static func html(_ bytes: [UInt8], _ charset: AlipayCharset) -> Response {
        response(bytes, type: "text/html", charset: charset)
    }

    private static func response(_ bytes: [UInt8], type: String, charset: AlipayCharset) -> Response {
        Response(
            status: .ok, headers: [.contentType: "\(type);charset=\(charset.rawValue)", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
