import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// The wallet's own pages: login, home, bills, language.
struct WalletRoutes: Sendable {
    let service: WalletPageService
    let bills: BillService
    let checkouts: CheckoutService

    /// What the forms of these pages are made for.
    private static let scope = "wallet"

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.get("/wallet") { request, _ in
            try await customerPage(request, path: "/wallet") { visitor, customer in
                let balance = try await checkouts.balance(of: customer)
                let latest = try await bills.page(of: customer, size: 5).entries
                return service.html(
                    try service.pages.home(customer, balance: balance, bills: latest, reader(visitor, "/wallet")), visitor)
            }
        }
        router.get("/wallet/bills") { request, _ in
            try await customerPage(request, path: "/wallet/bills") { visitor, customer in
                let query = try request.query(allowing: ["before"])
                let last = try query["before"].map { text in
                    guard let id = try? TimeOrderedID(text: text) else {
                        throw WalletError(code: .malformedRequest, reason: "before is no place in the list")
                    }
                    return id
                }
                let page = try await bills.page(of: customer, before: last)
                return service.html(try service.pages.bills(page, reader(visitor, "/wallet/bills")), visitor)
            }
        }
        router.get("/wallet/login") { request, _ in
            try await service.page(request, retry: "/wallet/login") { visitor in
                guard visitor.customer == nil else { return service.redirect("/wallet") }
                return service.html(try service.pages.login(token: nil, reader(visitor, "/wallet/login")), visitor)
            }
        }
        router.post("/wallet/login") { request, context in
            let address = CallerName.of(context.remoteAddress)
            return try await service.page(request, retry: "/wallet/login") { visitor in
                let form = try await service.form(request, visitor, scope: Self.scope)
                return try await service.logIn(form, visitor, from: address, to: "/wallet") { name, problem in
                    try service.pages.login(token: nil, name: name, problem: problem, reader(visitor, "/wallet/login"))
                }
            }
        }
        router.post("/wallet/logout") { request, _ in
            try await service.page(request, retry: "/wallet") { visitor in
                _ = try await service.form(request, visitor, scope: Self.scope)
                try await service.accounts.logOut(token: visitor.token)
                return service.redirect("/wallet/login", cookie: Visitor.cookie(token: service.context.random.token()))
            }
        }
        router.get("/wallet/language") { request, _ in
            let query = try request.query(allowing: ["to", "next"])
            guard let language = query["to"].flatMap(WalletLanguage.init(rawValue:)) else {
                throw WalletError(code: .malformedRequest, reason: "no such language")
            }
            let next = query["next"] ?? ""
            return service.redirect(Self.isOurs(next) ? next : "/wallet", cookie: Visitor.languageCookie(language))
        }
    }

    /// A path of these pages and nothing that a browser could take for another place.
    static func isOurs(_ path: String) -> Bool {
        guard path.utf8.count <= 4096, path == "/wallet" || path.hasPrefix("/wallet/") || path.hasPrefix("/cashier/") else { return false }
        return path.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private func reader(_ visitor: Visitor, _ path: String) -> WalletPages.Reader { service.reader(visitor, path: path, scope: Self.scope) }

    private func customerPage(
        _ request: Request, path: String, _ body: (Visitor, WalletAccount) async throws -> Response
    ) async throws -> Response {
        try await service.page(request, retry: path) { visitor in
            guard let customer = visitor.customer else { return service.redirect("/wallet/login") }
            return try await body(visitor, customer)
        }
    }
}

extension WalletPageService {
    /// Logs in with a form's name and password, and leads on with a new token; otherwise shows the login page again with one sentence
    /// for every reason.
    func logIn(
        _ form: FormFields, _ visitor: Visitor, from address: String, to path: String, page: (String, String) throws -> String
    ) async throws -> Response {
        let name = form["name"] ?? ""
        guard let password = form["password"], !password.isEmpty, !name.isEmpty, name.utf8.count <= 256, password.utf8.count <= 1024 else {
            return html(try page(name, visitor.texts[.missingFields]), status: .unprocessableContent, visitor)
        }
        do {
            let token = try await accounts.logIn(name, password: Secret(password), from: address, replacing: visitor.token)
            return redirect(path, cookie: Visitor.cookie(token: token))
        } catch let error as WalletError where [.loginRefused, .rateLimited].contains(error.code) {
            return html(try page(name, WalletPages.sentence(for: error, visitor.texts)), status: error.code.status, visitor)
        }
    }
}
