import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// The cashier: an order comes in, and a customer is led through login, means of payment and password to the result.
///
/// Every step is a page of its own that works without script; every form leads on by redirect, so that loading a page again does nothing
/// twice.
struct CashierRoutes: Sendable {
    /// Where an order comes in, from a page of any merchant.
    static let path = "/cashier"

    let service: WalletPageService
    let checkouts: CheckoutService
    let limiter: RateLimiter

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post(RouterPath(Self.path)) { request, context in try await open(request, from: context) }
        router.get("/wallet/pay") { request, context in try await arrive(request, from: context) }
        router.get("/cashier/:token") { request, context in try await show(request, context.parameters.require("token")) }
        router.get("/cashier/:token/result") { request, context in
            let checkout = try await checkouts.find(context.parameters.require("token"))
            return try JSONAnswer.make(checkouts.result(of: checkout, texts: texts(of: checkout)))
        }
        router.post("/cashier/:token/closing") { request, context in
            try await request.wholeWithoutBody()
            let checkout = try await checkouts.find(context.parameters.require("token"))
            return try await JSONAnswer.make(checkouts.close(checkout, texts: texts(of: checkout)))
        }
        router.get("/cashier/:token/login") { request, context in
            try await step(request, token: context.parameters.require("token"), name: "login") { visitor, checkout, token in
                service.html(try service.pages.login(token: token, reader(visitor, token: token, step: "login")), visitor)
            }
        }
        router.post("/cashier/:token/login") { request, context in
            let address = CallerName.of(context.remoteAddress)
            return try await step(request, token: context.parameters.require("token"), name: "login") { visitor, _, token in
                try await logIn(request, visitor: visitor, token: token, from: address)
            }
        }
        router.get("/cashier/:token/means") { request, context in
            try await payerStep(request, token: context.parameters.require("token"), name: "means") { visitor, customer, checkout, token in
                let balance = try await checkouts.balance(of: customer)
                return service.html(
                    try service.pages.means(checkout, token: token, balance: balance, reader(visitor, token: token, step: "means")), visitor
                )
            }
        }
        router.post("/cashier/:token/means") { request, context in
            try await payerStep(request, token: context.parameters.require("token"), name: "means") { visitor, customer, checkout, token in
                let form = try await service.form(request, visitor, scope: token)
                guard form["means"].flatMap(PaymentMeans.init(rawValue:)) != nil else {
                    throw WalletError(code: .malformedRequest, reason: "no means of payment was chosen")
                }
                try await checkouts.begin(checkout, account: customer)
                return service.redirect("/cashier/\(token)/password")
            }
        }
        router.get("/cashier/:token/password") { request, context in
            try await payerStep(request, token: context.parameters.require("token"), name: "password") { visitor, _, checkout, token in
                guard checkout.trade != nil else { return service.redirect("/cashier/\(token)/means") }
                return service.html(
                    try service.pages.password(checkout, token: token, reader(visitor, token: token, step: "password")), visitor)
            }
        }
        router.post("/cashier/:token/password") { request, context in
            try await payerStep(
                request, token: context.parameters.require("token"), name: "password"
            ) { visitor, customer, checkout, token in
                try await pay(request, visitor: visitor, customer: customer, checkout: checkout, token: token)
            }
        }
        router.post("/cashier/:token/cancel") { request, context in
            try await step(request, token: context.parameters.require("token"), name: "") { visitor, checkout, token in
                _ = try await service.form(request, visitor, scope: token)
                _ = try await checkouts.close(checkout, texts: visitor.texts)
                return service.redirect("/cashier/\(token)")
            }
        }
    }

    // MARK: Arriving

    private func admit(_ context: some CallerContext) throws(WalletError) {
        guard case .admitted = limiter.admit(CallerName.of(context.remoteAddress)) else {
            throw WalletError(code: .rateLimited, reason: "too many orders from this caller")
        }
    }

    /// An order string from a client without the wallet, or a trade's number from the super app's container.
    ///
    /// A form on a merchant's page comes without the browser's cookie. A new one in the answer would end the customer's session.
    private func open(_ request: Request, from context: some CallerContext) async throws -> Response {
        var answer = try await answer(to: request, from: context)
        answer.headers[.setCookie] = nil
        return answer
    }

    private func answer(to request: Request, from context: some CallerContext) async throws -> Response {
        let read: Result<FormFields, any Error>
        do { read = .success(try await service.fields(request)) } catch { read = .failure(error) }
        let scheme = (try? read.get())?["scheme"].flatMap { $0.isEmpty ? nil : $0 }
        return try await service.page(request, retry: nil, back: scheme.flatMap(wayBack)) { visitor in
            try admit(context)
            let fields = try read.get()
            guard fields.names.isSubset(of: ["order", "tradeNO", "scheme", "language"]) else {
                throw WalletError(code: .malformedRequest, reason: "the form has a field that this operation does not take")
            }
            let order: OrderGatewayLink.OrderName
            switch (fields["order"], fields["tradeNO"]) {
            case (let text?, nil) where !text.isEmpty: order = .text(text)
            case (nil, let number?) where (1...64).contains(number.utf8.count): order = .trade(number)
            default:
                throw WalletError(code: .malformedRequest, reason: "the form holds neither an order string nor a trade's number, or both")
            }
            guard scheme.map(AppScheme.isScheme) ?? true else {
                throw WalletError(code: .malformedRequest, reason: "the field scheme is no scheme that an app may have")
            }
            let language = fields["language"].flatMap(WalletLanguage.init(rawValue:))
            guard language != nil || !fields.names.contains("language") else {
                throw WalletError(code: .malformedRequest, reason: "the field language is none that this wallet speaks")
            }
            let token = try await checkouts.open(
                order, channel: .page, scheme: scheme, language: language, texts: language.map { WalletTexts($0) } ?? visitor.texts)
            return service.redirect("/cashier/\(token)")
        }
    }

    /// The app switch. It is a navigation, so it comes by GET; all it does is to open a checkout.
    private func arrive(_ request: Request, from context: some CallerContext) async throws -> Response {
        let app = IncomingAppSwitch(query: request.uri.query ?? "")
        return try await service.page(request, retry: nil, back: app.flatMap { wayBack(to: $0.scheme) }) { visitor in
            try admit(context)
            guard let app else { throw WalletError(code: .malformedRequest, reason: "the address holds no payment") }
            let token = try await checkouts.open(
                .text(app.order), channel: .app, scheme: app.scheme, language: nil, texts: visitor.texts)
            return service.redirect("/cashier/\(token)")
        }
    }

    /// To the merchant's app with a result that says "failed", for an order that is not shown; nil for what is no app's scheme.
    private func wayBack(to scheme: String) -> String? {
        guard AppScheme.isScheme(scheme) else { return nil }
        return WayBack(openers: service.pages.configuration.openers)
            .address(scheme: scheme, returnURL: nil, .failed(WalletTexts(.english)))
    }

    // MARK: Steps

    private func texts(of checkout: Checkout) -> WalletTexts { WalletTexts(checkout.language ?? .english) }

    private func reader(_ visitor: Visitor, token: String, step: String) -> WalletPages.Reader {
        service.reader(visitor, path: "/cashier/\(token)" + (step.isEmpty ? "" : "/\(step)"), scope: token)
    }

    /// Runs a step of an open checkout; one that is submitted or ended leads to its page.
    private func step(
        _ request: Request, token: String, name: String, _ body: (Visitor, Checkout, String) async throws -> Response
    ) async throws -> Response {
        let checkout = try? await checkouts.find(token)
        return try await service.page(request, retry: checkout.map { _ in "/cashier/\(token)" }, language: checkout?.language) { visitor in
            let checkout = try await checkouts.find(token)
            guard checkout.state == .open else { return service.redirect("/cashier/\(token)") }
            return try await body(visitor, checkout, token)
        }
    }

    /// Runs a step that takes a customer who may pay this checkout.
    private func payerStep(
        _ request: Request, token: String, name: String, _ body: (Visitor, WalletAccount, Checkout, String) async throws -> Response
    ) async throws -> Response {
        try await step(request, token: token, name: name) { visitor, checkout, token in
            guard let customer = visitor.customer else { return service.redirect("/cashier/\(token)/login") }
            try checkouts.requireOwn(checkout, customer)
            return try await body(visitor, customer, checkout, token)
        }
    }

    private func show(_ request: Request, _ token: String) async throws -> Response {
        let language = try? await checkouts.find(token).language
        return try await service.page(request, retry: nil, language: language) { visitor in
            let checkout = try await checkouts.find(token)
            let reader = reader(visitor, token: token, step: "")
            switch checkout.state {
            case .open:
                return service.html(try service.pages.order(checkout, token: token, customer: visitor.customer, reader), visitor)
            case .submitted:
                return service.html(try service.pages.processing(checkout, token: token, reader), visitor, refreshing: 3)
            case .ended:
                let result = checkouts.result(of: checkout, texts: visitor.texts)
                return service.html(try service.pages.result(checkout, result: result, reader), visitor)
            }
        }
    }

    private func logIn(_ request: Request, visitor: Visitor, token: String, from address: String) async throws -> Response {
        let form = try await service.form(request, visitor, scope: token)
        return try await service.logIn(form, visitor, from: address, to: "/cashier/\(token)/means") { name, problem in
            try service.pages.login(token: token, name: name, problem: problem, reader(visitor, token: token, step: "login"))
        }
    }

    private func pay(
        _ request: Request, visitor: Visitor, customer: WalletAccount, checkout: Checkout, token: String
    ) async throws -> Response {
        let form = try await service.form(request, visitor, scope: token)
        let texts = visitor.texts
        func again(_ problem: String, _ status: HTTPResponse.Status) throws -> Response {
            service.html(
                try service.pages.password(checkout, token: token, problem: problem, reader(visitor, token: token, step: "password")),
                status: status, visitor)
        }
        guard let password = form["password"], WalletAccount.isPaymentPassword(password) else {
            return try again(texts[.passwordShape], .unprocessableContent)
        }
        do {
            switch try await checkouts.confirm(checkout, account: customer, password: Secret(password), shown: form["amount"] ?? "") {
            case .submitted: return service.redirect("/cashier/\(token)")
            case .wrongPassword(let left):
                return try again(texts(.passwordWrong, ["count": String(left)]), .unprocessableContent)
            case .locked(let until):
                return try again(texts(.passwordLocked, ["time": BookDay.minute(of: until)]), .locked)
            }
        } catch let error as WalletError where error.code == .insufficientBalance {
            let balance = try await checkouts.balance(of: customer)
            return service.html(
                try service.pages.means(
                    checkout, token: token, balance: balance, problem: texts[.balanceTooSmall],
                    reader(visitor, token: token, step: "means")),
                status: .unprocessableContent, visitor)
        }
    }
}

extension HTTPResponse.Status {
    /// RFC 4918, section 11.3.
    fileprivate static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
}
