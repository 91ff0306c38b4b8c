import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import Hummingbird
import MiniPrograms

/// The page at the address that `prepare` gave, `/wallet/contracts/{token}` or `…/{mini program}`: what a merchant may debit without asking,
/// signed with the payment password (mini-programs.md#contract).
///
/// `my.signContract` shows it, and names its mini program behind the address; the merchant's only one needs no name. The page leads back to
/// `<scheme>://contract` with the `authCode`, which is good for the merchant's server alone, or with `error=1001`.
struct ContractRoutes: Sendable {
    let service: WalletPageService
    let authorizations: SuperAppAuthorizationService
    let side: WalletConfiguration.SuperApp

    private static let root = "/wallet/contracts"

    /// What an address names, found.
    private struct Visit {
        var token: String
        var path: String
        var contract: SuperAppAuthorizationService.UnsignedContract
        var app: HostedMiniProgram
    }

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        for path in ["\(Self.root)/:token", "\(Self.root)/:token/:app"] { add(path, to: router) }
    }

    private func add<Context: CallerContext>(_ path: String, to router: some RouterMethods<Context>) {
        router.get("\(path)") { request, context in
            try await page(request, parameters: context.parameters) { visitor, visit in
                guard visitor.customer != nil else {
                    return service.html(try logInPage(visitor, visit), visitor)
                }
                return service.html(
                    try service.pages.contract(visit.contract, app: visit.app, path: visit.path, reader(visitor, visit)), visitor)
            }
        }
        // One form has one of three ends: a login, a refusal, a signature.
        router.post("\(path)") { request, context in
            let address = CallerName.of(context.remoteAddress)
            return try await page(request, parameters: context.parameters) { visitor, visit in
                let form = try await service.form(request, visitor, scope: Self.root)
                guard let customer = visitor.customer else {
                    return try await service.logIn(form, visitor, from: address, to: visit.path) { name, problem in
                        try logInPage(visitor, visit, name: name, problem: problem)
                    }
                }
                guard form["decision"] == "sign" else {
                    return try back([("error", ConsentRoutes.userCancel)], visitor: visitor, visit: visit)
                }
                return try await sign(form, visitor: visitor, customer: customer, visit: visit)
            }
        }
    }

    private func sign(_ form: FormFields, visitor: Visitor, customer: WalletAccount, visit: Visit) async throws -> Response {
        func again(_ problem: WalletText) throws -> Response {
            service.html(
                try service.pages.contract(
                    visit.contract, app: visit.app, path: visit.path, problem: visitor.texts[problem], reader(visitor, visit)),
                status: .unprocessableContent, visitor)
        }
        guard let password = form["password"], WalletAccount.isPaymentPassword(password) else { return try again(.passwordShape) }
        let answer: ApplyAuthCodeAnswer
        do {
            answer = try await authorizations.sign(
                contract: visit.token, appID: visit.app.appID, clientID: visit.contract.client.id, password: Secret(password), by: customer)
        } catch let refusal as OpenAPIRefusal {
            throw WalletError(refusing: refusal)
        }
        guard let code = answer.authCode else { return try again(.contractPasswordWrong) }
        return try back([("authCode", code.reveal())], visitor: visitor, visit: visit)
    }

    private func page(
        _ request: Request, parameters: Parameters, _ body: (Visitor, Visit) async throws -> Response
    ) async throws -> Response {
        try await service.page(request, retry: nil) { visitor in
            let (token, name): (String, String?) = (try parameters.require("token"), parameters.get("app"))
            guard Visitor.isToken(token), name.map(PackageManifest.isAppID) ?? true else { throw SuperAppAuthorizationService.noContract }
            let contract = try await authorizations.contract(token)
            let app =
                name == nil && contract.apps.count == 1 ? contract.apps.first : contract.apps.first { ExactText.equal($0.appID, name) }
            guard let app else { throw SuperAppAuthorizationService.noContract }
            let path = "\(Self.root)/\(token)" + (name.map { "/\($0)" } ?? "")
            return try await body(visitor, Visit(token: token, path: path, contract: contract, app: app))
        }
    }

    private func reader(_ visitor: Visitor, _ visit: Visit) -> WalletPages.Reader {
        service.reader(visitor, path: visit.path, scope: Self.root)
    }

    private func logInPage(_ visitor: Visitor, _ visit: Visit, name: String = "", problem: String? = nil) throws -> String {
        try service.pages.login(token: nil, name: name, problem: problem, action: visit.path, reader(visitor, visit))
    }

    private func back(_ parameters: [(name: String, value: String)], visitor: Visitor, visit: Visit) throws -> Response {
        try service.back(side, to: "contract", with: parameters, visitor: visitor, reader: reader(visitor, visit))
    }
}
