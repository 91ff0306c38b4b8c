import BillfoldPayments
import BillfoldServer
import HTTPTypes
import Hummingbird
import Logging

/// What the routes of pages share: who asks, forms that are ours, answers, and what is shown when something is refused.
struct WalletPageService: Sendable {
    let context: WalletContext
    let accounts: AccountService
    let pages: WalletPages

    static let formLimit = 65_536

    func visitor(_ request: Request, language: WalletLanguage? = nil) async throws -> Visitor {
        let chosen = Visitor.cookie(Visitor.languageCookieName, of: request).flatMap(WalletLanguage.init(rawValue:))
        let texts = WalletTexts(chosen ?? language ?? WalletLanguage.preferred(by: request.headers[.acceptLanguage]))
        guard let token = Visitor.cookie(Visitor.cookieName, of: request), Visitor.isToken(token) else {
            return Visitor(token: context.random.token(), isNew: true, customer: nil, texts: texts)
        }
        return Visitor(token: token, isNew: false, customer: try await accounts.session(token: token)?.1, texts: texts)
    }

    func reader(_ visitor: Visitor, path: String, scope: String) -> WalletPages.Reader {
        WalletPages.Reader(texts: visitor.texts, path: path, csrf: visitor.csrf(scope, context))
    }

    /// The fields of a form that this server made for this browser and scope. Refuses anything else with `form-foreign`.
    func form(_ request: Request, _ visitor: Visitor, scope: String) async throws -> FormFields {
        let fields = try await fields(request)
        let expected = KeyedHash(stored: Array(visitor.csrf(scope, context).utf8))
        guard !visitor.isNew, let sent = fields["csrf"], expected.matches(KeyedHash(stored: Array(sent.utf8))) else {
            throw WalletError(code: .formForeign, reason: "the form was not made for this browser")
        }
        return fields
    }

    func fields(_ request: Request) async throws -> FormFields {
        try request.requireMediaType("application/x-www-form-urlencoded")
        return FormFields(String(buffer: try await request.body.collect(upTo: Self.formLimit)))
    }

    func html(
        _ page: String, status: HTTPResponse.Status = .ok, _ visitor: Visitor, refreshing seconds: Int? = nil, to address: String? = nil
    ) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentLanguage] = visitor.texts.language.rawValue
        if visitor.isNew { headers.append(HTTPField(name: .setCookie, value: Visitor.cookie(token: visitor.token))) }
        if let seconds { headers[.refresh] = String(seconds) + (address.map { "; url=\($0)" } ?? "") }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// Leads to an app, by a page: a form must not lead anywhere else by redirect, its pages' policy forbids it.
    ///
    /// - Parameters:
    ///   - address: Of the app; holds no character that a header could not.
    ///   - name: Of what is at the address.
    func leave(to address: String, name: String, _ visitor: Visitor, _ reader: WalletPages.Reader) throws -> Response {
        html(try pages.leaving(to: address, name: name, reader), visitor, refreshing: 0, to: address)
    }

    /// Leads to another page by GET.
    func redirect(_ path: String, cookie: String? = nil) -> Response {
        var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
        if let cookie { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: headers)
    }

    static func wantsPage(_ request: Request) -> Bool { request.headers[.accept]?.contains("text/html") ?? false }

    /// Runs what makes a page, and shows people a page of what went wrong; programs get the JSON that every server answers.
    func page(
        _ request: Request, retry: String?, language: WalletLanguage? = nil, back: String? = nil,
        _ body: (Visitor) async throws -> Response
    ) async throws -> Response {
        let visitor = try await visitor(request, language: language)
        do {
            return try await body(visitor)
        } catch {
            guard Self.wantsPage(request) else { throw pages.told(error) }
            let refusal = ErrorMapping().withWallet().refusal(for: error)
            if refusal == nil {
                context.logger.error("a page failed", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
            }
            return html(
                try pages.problem(error, retry: retry, back: back, reader(visitor, path: retry ?? "/wallet", scope: "wallet")),
                status: refusal?.status ?? .internalServerError, visitor)
        }
    }
}

extension HTTPField.Name {
    /// Has a browser load the page again; no standard has it, every browser does.
    fileprivate static let refresh = HTTPField.Name("Refresh")!  // swift-format-ignore: NeverForceUnwrap
}
