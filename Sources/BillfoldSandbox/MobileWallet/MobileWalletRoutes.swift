import AlipayPlus
import BillfoldStorage
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird
import PaymentCrypto

/// Who is logged in at a wallet, by the cookie's hash.
struct MobileSession: PartyDocument {
    static let kind = "mobile.session"
    var id: String
    var customer: String
}

/// A wallet's app over HTTP, all of it forms: `/wallets/{wallet}/`.
///
/// - `GET ""`, `POST login` `id`, `pin`, `next`; `POST logout`
/// - `GET open?codeValue=…`: what a payment sheet's links lead to; `POST scan` `code`
/// - `GET payments/{id}`, `POST payments/{id}/confirm` and `…/decline`
/// - `POST code`: a fresh code to show; `POST deposit`: as much money as there was at first
/// - `GET consents/{id}`, `POST consents/{id}/grant` and `…/withdraw`
/// - `POST fault` `fault`: what goes wrong with the customer's next payment
struct MobileWalletRoutes: Sendable {
    let service: MobileWalletService
    let pages: MobileWalletPages

    private typealias Person = MobileWalletProfile.Person
    private var root: String { "/wallets/\(service.profile.slug)" }
    private var cookie: String { "wallet-\(service.profile.slug)" }

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let wallet = router.group(RouterPath(root)).add(middleware: SandboxErrors())
        wallet.get("") { request, _ in try await with(request) { try await home($0) } }
        wallet.post("login") { request, _ in try await logIn(request) }
        wallet.post("logout") { request, _ in
            if let id = sessionID(request) {
                try await service.database.write { try PartyRecords.remove(MobileSession.self, id, in: $0) }
            }
            return seeOther("/")
        }
        wallet.get("open") { request, _ in
            try await with(request) { person in
                guard let code = request.uri.queryParameters["codeValue"].map(String.init) else {
                    throw SandboxRefusal(code: "code-missing", reason: "the address holds no code", status: 400)
                }
                return try await scan(code, by: person)
            }
        }
        wallet.post("scan") { request, _ in
            let form = try await Self.form(request)
            let code = (form["code"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            return try await with(request) { person in
                if let page = Self.entryPage(code) {
                    return Response.seeOther(page)
                }
                do { return try await scan(code, by: person) } catch let refusal as SandboxRefusal {
                    return try await home(person, problem: refusal.reason)
                }
            }
        }
        wallet.post("code") { request, _ in
            try await with(request) { try pages.code(await service.code(for: $0.id), of: $0) }
        }
        wallet.post("deposit") { request, _ in
            try await with(request) { person in
                try await service.deposit(for: person)
                return seeOther("/")
            }
        }
        wallet.post("fault") { request, _ in
            let form = try await Self.form(request)
            return try await with(request) { person in
                try await service.plan(form["fault"].flatMap(MobileWalletFault.init(word:)), for: "customer:\(person.id)")
                return seeOther("/")
            }
        }
        addPayments(to: wallet)
        addConsents(to: wallet)
    }

    private func addPayments<Context: RequestContext>(to wallet: RouterGroup<Context>) {
        wallet.get("payments/{id}") { request, context in
            try await with(request) { try await payment(Self.id(context), of: $0) }
        }
        for action in ["confirm", "decline"] {
            wallet.post("payments/{id}/\(action)") { request, context in
                let id = Self.id(context)
                return try await with(request) { person in
                    do {
                        _ = try await action == "confirm" ? service.confirm(id, by: person.id) : service.decline(id, by: person.id)
                    } catch let refusal as SandboxRefusal where refusal.status == 409 {
                        return try await payment(id, of: person, problem: refusal.reason)
                    }
                    return seeOther("/payments/\(id)")
                }
            }
        }
    }

    private func addConsents<Context: RequestContext>(to wallet: RouterGroup<Context>) {
        wallet.get("consents/{id}") { request, context in
            try await with(request) { person in
                guard let consent = try await service.consent(Self.id(context)) else {
                    throw SandboxRefusal(code: "consent-unknown", reason: "Nobody asked for this consent.", status: 404)
                }
                return try pages.consent(consent, of: person)
            }
        }
        wallet.post("consents/{id}/grant") { request, context in
            try await with(request) { person in
                _ = try await service.grant(Self.id(context), by: person.id)
                return seeOther("/consents/\(Self.id(context))")
            }
        }
        wallet.post("consents/{id}/withdraw") { request, context in
            try await with(request) { person in
                try await service.withdraw(Self.id(context), by: person.id)
                return seeOther("/")
            }
        }
    }

    // MARK: Steps

    private func home(_ person: Person, problem: String? = nil) async throws -> Response {
        let planned = try await service.database.read {
            try PartyRecords.find(MobileFaultWish.self, "customer:\(person.id)", in: $0)?.fault
        }
        return try pages.home(
            of: person, balance: await service.balance(of: person.id), payments: await service.payments(of: person.id),
            consents: await service.consents(of: person.id), fault: planned, problem: problem)
    }

    private func scan(_ code: String, by person: Person) async throws -> Response {
        seeOther("/payments/\(try await service.scan(code, by: person.id).id)")
    }

    /// The page that a store's static code leads to: any address of an acquirer's that is no order's code (alipay-plus.md#entry-code [D]).
    /// The real network registers their domains; here it is one of this machine.
    private static func entryPage(_ code: String) -> String? {
        guard (try? OrderCode(code)) == nil, let url = URL(string: code), url.scheme == "http" || url.scheme == "https",
            ["127.0.0.1", "localhost"].contains(url.host() ?? ""), code.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return code
    }

    private func payment(_ id: String, of person: Person, problem: String? = nil) async throws -> Response {
        let (payment, scan) = (try await service.payment(id), try await service.scan(id))
        guard (payment?.customer ?? scan?.customer) == person.id else {
            throw SandboxRefusal(code: "payment-unknown", reason: "You have no such payment.", status: 404)
        }
        return try pages.payment(payment, scan: scan, of: person, balance: await service.balance(of: person.id), problem: problem)
    }

    // MARK: Sessions

    /// Does a step for whoever is logged in, and asks whoever is not to log in first.
    private func with(_ request: Request, _ body: (Person) async throws -> Response) async throws -> Response {
        guard let person = try await person(request) else {
            guard request.method == .get else { return seeOther("/") }
            return try pages.logIn(next: String(request.uri.string.dropFirst(root.count)))
        }
        do { return try await body(person) } catch let refusal as SandboxRefusal { return try pages.problem(refusal, customer: person) }
    }

    private func person(_ request: Request) async throws -> Person? {
        guard let id = sessionID(request),
            let session = try await service.database.read({ try PartyRecords.find(MobileSession.self, id, in: $0) })
        else { return nil }
        return service.profile.people.first { $0.id == session.customer }
    }

    private func sessionID(_ request: Request) -> String? {
        Cookies.value(of: cookie, in: request.headers[values: .cookie]).map(MobileConsent.hash)
    }

    private func logIn(_ request: Request) async throws -> Response {
        let form = try await Self.form(request)
        let next = form["next"].flatMap { $0.hasPrefix("/") && !$0.hasPrefix("//") ? $0 : nil } ?? "/"
        guard let person = service.profile.people.first(where: { $0.id == form["id"] }), form["pin"] == person.pin else {
            return try pages.logIn(next: next, problem: "The number is not the right one.")
        }
        let secret = service.surroundings.reporter.makeName()
        let session = MobileSession(id: MobileConsent.hash(secret), customer: person.id)
        try await service.database.write { try PartyRecords.put(session, in: $0) }
        var answer = seeOther(next)
        answer.headers[.setCookie] = "\(cookie)=\(secret); Path=\(root); HttpOnly; SameSite=Lax"
        return answer
    }

    private static func id(_ context: some RequestContext) -> String { context.parameters.get("id") ?? "" }

    /// - Parameter path: Below the wallet's root.
    private func seeOther(_ path: String) -> Response {
        Response.seeOther(root + path)
    }

    static func form(_ request: Request) async throws -> [String: String] { try SandboxForm.read(try await PartyRequest(request).body) }
}

/// Reads what a page's form sends.
enum SandboxForm {
    /// Refuses with `form-malformed` what is none, and a name that comes twice.
    static func read(_ body: [UInt8]) throws(SandboxRefusal) -> [String: String] {
        let malformed = SandboxRefusal(code: "form-malformed", reason: "the form cannot be read", status: 400)
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(halves[0], plusIsSpace: true),
                let value = PercentEncoding.decode(halves.count == 2 ? halves[1] : [], plusIsSpace: true),
                fields.updateValue(String(decoding: value, as: UTF8.self), forKey: String(decoding: name, as: UTF8.self)) == nil
            else { throw malformed }
        }
        return fields
    }
}
