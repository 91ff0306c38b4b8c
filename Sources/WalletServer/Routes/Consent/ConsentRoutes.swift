import BillfoldServer
import BillfoldStorage
import Hummingbird

/// The consent page, `/wallet/consent/{mini program}/{scopes}/{state}`: what a mini program wants to know, and whether it may.
///
/// The scopes are joined by hyphens. The page leads back to `<scheme>://consent?state=…` with `referenceAgreementId`, or with `error=1001`
/// where the person refused (mini-programs.md#steps, 14 and 21). The container pairs the way back with its question by the state.
struct ConsentRoutes: Sendable {
    let service: WalletPageService
    let consent: ConsentService
    let side: WalletConfiguration.SuperApp

    private static let root = "/wallet/consent"
    private static let path = "\(root)/:app/:scopes/:state"
    /// `ERROR_CODE_USER_CANCEL` of the Wallet API.
    static let userCancel = "1001"

    /// What an address asks.
    private struct Wish {
        var app: String
        var scopes: Set<String>
        var state: String
        var path: String

        init(_ parameters: Parameters) throws {
            app = try parameters.require("app")
            state = try parameters.require("state")
            let text: String = try parameters.require("scopes")
            let names = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            scopes = Set(names)
            path = "\(ConsentRoutes.root)/\(app)/\(text)/\(state)"
            guard (1...32).contains(names.count), scopes.allSatisfy({ Self.isName($0) }), Self.isName(app), Self.isName(state) else {
                throw WalletError(code: .malformedRequest, reason: "the address does not name a mini program, its scopes and a state")
            }
        }

        private static func isName(_ text: String) -> Bool {
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.get("\(Self.path)") { request, context in
            try await page(request, parameters: context.parameters) { visitor, wish in
                guard let customer = visitor.customer else { return service.redirect("\(wish.path)/login") }
                let question = try await consent.question(app: wish.app, scopes: wish.scopes, for: customer)
                guard !question.scopes.isEmpty else { return try back(agreed(question.agreement), visitor: visitor, wish: wish) }
                return service.html(try service.pages.consent(question, of: customer, side: side, reader(visitor, wish: wish)), visitor)
            }
        }
        router.post("\(Self.path)") { request, context in
            try await page(request, parameters: context.parameters) { visitor, wish in
                let form = try await service.form(request, visitor, scope: Self.root)
                guard let customer = visitor.customer else { return service.redirect("\(wish.path)/login") }
                guard form["decision"] == "agree" else { return try back([("error", Self.userCancel)], visitor: visitor, wish: wish) }
                let question = try await consent.question(app: wish.app, scopes: wish.scopes, for: customer)
                return try back(
                    agreed(try await consent.agree(to: question, shown: form["scopes"], by: customer)), visitor: visitor, wish: wish)
            }
        }
        router.get("\(Self.path)/login") { request, context in
            try await page(request, parameters: context.parameters) { visitor, wish in
                guard visitor.customer == nil else { return service.redirect(wish.path) }
                return service.html(try logInPage(visitor, wish), visitor)
            }
        }
        router.post("\(Self.path)/login") { request, context in
            let address = CallerName.of(context.remoteAddress)
            return try await page(request, parameters: context.parameters) { visitor, wish in
                let form = try await service.form(request, visitor, scope: Self.root)
                return try await service.logIn(form, visitor, from: address, to: wish.path) { name, problem in
                    try logInPage(visitor, wish, name: name, problem: problem)
                }
            }
        }
    }

    private func page(
        _ request: Request, parameters: Parameters, _ body: (Visitor, Wish) async throws -> Response
    ) async throws -> Response {
        let wish = try? Wish(parameters)
        return try await service.page(request, retry: wish?.path) { visitor in try await body(visitor, Wish(parameters)) }
    }

    private func reader(_ visitor: Visitor, wish: Wish, step: String = "") -> WalletPages.Reader {
        service.reader(visitor, path: wish.path + step, scope: Self.root)
    }

    private func logInPage(_ visitor: Visitor, _ wish: Wish, name: String = "", problem: String? = nil) throws -> String {
        try service.pages.login(
            token: nil, name: name, problem: problem, action: "\(wish.path)/login", reader(visitor, wish: wish, step: "/login"))
    }

    private func agreed(_ agreement: TimeOrderedID?) -> [(name: String, value: String)] {
        agreement.map { [("referenceAgreementId", $0.description)] } ?? []
    }

    private func back(_ parameters: [(name: String, value: String)], visitor: Visitor, wish: Wish) throws -> Response {
        try service.back(
            side, to: "consent", with: [("state", wish.state)] + parameters, visitor: visitor, reader: reader(visitor, wish: wish))
    }
}

extension WalletPageService {
    /// Leads to a place in the super app.
    func back(
        _ side: WalletConfiguration.SuperApp, to place: String, with parameters: [(name: String, value: String)], visitor: Visitor,
        reader: WalletPages.Reader
    ) throws -> Response {
        guard let address = WayBack(openers: pages.configuration.openers).address(scheme: side.scheme, place: place, parameters) else {
            throw WalletError(code: .malformedRequest, reason: "there is no way back")
        }
        return try leave(to: address, name: visitor.texts[.brand], visitor, reader)
    }
}
