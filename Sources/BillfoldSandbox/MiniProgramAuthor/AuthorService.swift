import Alipay
import AlipayApp
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Crypto
import Foundation
import MiniPrograms
import PaymentCrypto

/// The author's server: signs users in with codes of the super app, has orders made, and knows what became of them.
///
/// Tokens stay here and are forgotten after their one use; sessions are kept as hashes.
struct AuthorService: Sendable {
    let surroundings: PartySurroundings
    let line: AuthorLine
    let clients: [String: AuthorIdentity]
    let programs: [AuthorProgram]
    /// Leads to the merchant of express orders.
    let merchant: PartyLine
    let cashier: any CashierDoor
    /// The wallet's origin, as browsers reach it.
    let wallet: String
    /// Of the super app, to which the cashier's last page leads back.
    let scheme: String
    let faults: PartyFaults

    /// The messages that a fault can befall.
    static let operations = ["sign-in", "order", "order-state", "apply-token"]
    /// How long a sign-in may arrive again.
    private static let repeatMilliseconds: Int64 = 10_000

    private var database: any Database { surroundings.database }

    // MARK: Signing in

    /// Refuses with `sign-in-refused` what the wallet refuses for good, and with `wallet-unavailable` where it does not say: then the mini
    /// program asks the super app for a new code.
    func signIn(_ asked: AuthorWire.SignIn, about: [String: String]) async throws -> AuthorWire.Session {
        let appID = asked.appId ?? programs.first?.appID
        guard let program = programs.first(where: { $0.appID == appID }), let client = clients[program.clientID] else {
            throw SandboxRefusal(code: "program-unknown", reason: "the author has no such mini program", status: 404)
        }
        guard (1...128).contains(asked.authCode.utf8.count), asked.authCode.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw SandboxRefusal(code: "code-malformed", reason: "authCode is no code", status: 400)
        }
        let (now, name) = (surroundings.milliseconds, Self.hash("\(program.appID) \(asked.authCode)"))
        if let earlier = try await database.lookup({ try PartyRecords.find(AuthorExchange.self, name, in: $0) }),
            now - earlier.session.madeAt < Self.repeatMilliseconds
        {
            return try await open(earlier.session)
        }
        let tokens = try await exchange(asked.authCode, for: program, as: client, about: about)
        let info = try await userInfo(tokens.accessToken, for: program, as: client, about: about)
        let session = AuthorSession(
            id: "", appID: program.appID, userID: tokens.customerID, name: info[.userName],
            scopes: UserInfoMember.allCases.filter { info[$0] != nil }.map(\.usualScope), madeAt: now)
        try await database.write { try PartyRecords.put(AuthorExchange(id: name, session: session), in: $0) }
        return try await open(session)
    }

    private func open(_ user: AuthorSession) async throws -> AuthorWire.Session {
        let token = Hexadecimal.encode(surroundings.bytes(32))
        var session = user
        session.id = Self.hash(token)
        let row = session
        try await database.write { try PartyRecords.put(row, in: $0) }
        return AuthorWire.Session(session: token, scopes: user.scopes, name: user.name, userId: user.userID)
    }

    private static func hash(_ text: String) -> String { Hexadecimal.encode(Array(SHA256.hash(data: Data(text.utf8)))) }

    private func exchange(
        _ code: String, for program: AuthorProgram, as client: AuthorIdentity, about: [String: String]
    ) async throws -> ApplyTokenAnswer.Tokens {
        let request = ApplyTokenRequest(
            appID: program.appID, authClientID: program.clientID, grant: .authorizationCode(Secret(code)))
        let call = AuthorLine.Call(request.version.path, request.body)
        let fields = [TraceEntry.Field("appId", program.appID), .init("authCode", Mask.opaque(code))]
        let answer: ApplyTokenAnswer
        do { answer = try ApplyTokenAnswer(try await applyToken(call, as: client, about: about, fields: fields)) } catch {
            throw Self.walletSilent
        }
        switch answer.result.resultStatus {
        case .failure:
            throw SandboxRefusal(code: "sign-in-refused", reason: "the wallet refuses the code: \(answer.result.resultCode)")
        case .unknown: throw Self.walletSilent
        case .success: break
        }
        guard let tokens = answer.tokens else { throw Self.walletSilent }
        return tokens
    }

    /// One exchange under the fault plan.
    private func applyToken(
        _ call: AuthorLine.Call, as client: AuthorIdentity, about: [String: String], fields: [TraceEntry.Field]
    ) async throws -> JSONObject {
        func ask() async throws -> JSONObject { try await line.ask(call, as: client, about: about, fields: fields) }
        func note(_ problem: String) {
            surroundings.reporter.report(.note, from: .author, to: .author, call.title, correlation: about, problem: problem)
        }
        let fault = try await faults.claim("apply-token")
        switch fault?.fault {
        case nil: return try await ask()
        case .replyLate:
            try await Task.sleep(for: .milliseconds(fault?.delayMilliseconds ?? 0))
            return try await ask()
        case .requestDoubled:
            note("the message was sent twice (fault plan)")
            let first = try await ask()
            // A code is exchanged once: the second is refused, and the first stays good.
            _ = try? await ask()
            return first
        case .requestLost, .requestRefused:
            note("the message was lost (fault plan)")
            throw Self.walletSilent
        case .replyLost:
            _ = try? await ask()
            note("the answer was lost (fault plan)")
            throw Self.walletSilent
        }
    }

    /// What the token's scopes allow. It may be asked again and again.
    private func userInfo(
        _ token: Secret<String>, for program: AuthorProgram, as client: AuthorIdentity, about: [String: String]
    ) async throws -> [UserInfoMember: String] {
        let request = InquiryUserInfoRequest(appID: program.appID, authClientID: program.clientID, accessToken: token)
        let call = AuthorLine.Call(InquiryUserInfoRequest.path, request.body)
        for wait in [Duration.zero, .milliseconds(200), .milliseconds(800)] {
            try await Task.sleep(for: wait)
            guard
                let object = try? await line.ask(
                    call, as: client, about: about, fields: [.init("accessToken", Mask.opaque(token.reveal()))]),
                let answer = try? InquiryUserInfoAnswer(object)
            else { continue }
            switch answer.result.resultStatus {
            case .success: return answer.userInfo
            case .failure:
                throw SandboxRefusal(code: "sign-in-refused", reason: "the wallet tells nothing of the user: \(answer.result.resultCode)")
            case .unknown: continue
            }
        }
        throw Self.walletSilent
    }

    private static let walletSilent = SandboxRefusal(
        code: "wallet-unavailable", reason: "the wallet does not say who this is: ask the super app for a new code", status: 503)

    // MARK: Orders

    /// Has the merchant make an order. Refuses as the merchant does, with `session-unknown`, and with `merchant-unavailable` or
    /// `cashier-unavailable` where there is no answer.
    func order(_ asked: AuthorWire.Placing, about: [String: String]) async throws -> AuthorWire.Order {
        var user: String?
        if let session = asked.session {
            let id = Self.hash(session)
            guard let known = try await database.lookup({ try PartyRecords.find(AuthorSession.self, id, in: $0) }) else {
                throw SandboxRefusal(code: "session-unknown", reason: "nobody is signed in with this session", status: 401)
            }
            user = known.userID
        }
        let placed = try await placed(asked, by: user, about: about)
        let row = AuthorOrder(id: placed.number, userID: user, subject: placed.subject, price: placed.price)
        try await database.write { try PartyRecords.put(row, in: $0) }
        let about = about.merging([ExpressTrace.order: placed.number]) { $1 }
        var order = AuthorWire.Order(number: placed.number, subject: placed.subject, price: placed.price)
        switch (asked.form, placed.order) {
        case (.tradeNO, _): order.tradeNO = placed.tradeNo
        case (.orderStr, let text?): order.orderStr = text
        case (.paymentUrl, let text?): order.paymentUrl = try await paymentPage(for: text, about: about)
        default: throw Self.merchantSilent
        }
        return order
    }

    private func placed(_ asked: AuthorWire.Placing, by user: String?, about: [String: String]) async throws -> ExpressWire.Order {
        if asked.form == .tradeNO {
            guard let user else {
                throw SandboxRefusal(code: "sign-in-first", reason: "a trade is made for a buyer who has signed in", status: 409)
            }
            let order: ExpressWire.Order = try await atMerchant {
                try await merchant.ask(
                    "/alipay-merchant/v1/trades", title: "make a trade", body: ExpressWire.Creating(offer: asked.offer, buyer: user),
                    about: about, fields: [.init("offer", asked.offer), .init("buyer", Mask.opaque(user))])
            }
            guard order.tradeNo != nil else { throw Self.merchantSilent }
            return order
        }
        // A contract without an application has orders of the older generation alone.
        let generation: AlipayGeneration = ExpressOffer.find(asked.offer)?.account.appID == nil ? .legacy : .modern
        return try await atMerchant {
            try await merchant.ask(
                "/alipay-merchant/v1/orders", title: "make an order",
                body: ExpressWire.Placing(offer: asked.offer, generation: generation), about: about,
                fields: [.init("offer", asked.offer), .init("generation", generation.rawValue)])
        }
    }

    /// A session of the wallet's web cashier with the order: the address of its first page.
    private func paymentPage(for order: String, about: [String: String]) async throws -> String {
        let reporter = surroundings.reporter
        guard let address = URL(string: "\(wallet)/cashier") else { throw Self.cashierSilent }
        let exchange = reporter.report(
            .request, from: .author, to: .wallet, "POST /cashier", correlation: about, fields: [.init("scheme", scheme)])
        do {
            let path = try await Exchange.$reported.withValue(exchange) {
                try await cashier.open(CashierRequest(address: address, order: order, scheme: scheme))
            }
            reporter.report(.response, from: .wallet, to: .author, "POST /cashier", correlation: about)
            return wallet + path
        } catch let refusal as SandboxRefusal {
            reporter.report(
                .response, from: .wallet, to: .author, "POST /cashier", correlation: about, problem: "\(refusal.code): \(refusal.reason)")
            throw refusal
        } catch {
            reporter.report(.note, from: .author, to: .author, "POST /cashier: no answer", correlation: about, problem: "no answer")
            throw Self.cashierSilent
        }
    }

    /// What the merchant knows of an order, after it asked the gateway. Refuses with `order-unknown` for one that is not the author's, and
    /// as the merchant does: what nobody knows is no failure.
    func state(of number: String, about: [String: String]) async throws -> AuthorWire.State {
        guard try await database.lookup({ try PartyRecords.find(AuthorOrder.self, number, in: $0) }) != nil else {
            throw SandboxRefusal(code: "order-unknown", reason: "no order of this number was made here", status: 404)
        }
        let about = about.merging([ExpressTrace.order: number]) { $1 }
        let order: ExpressWire.Order = try await atMerchant {
            try await merchant.ask(
                "/alipay-merchant/v1/orders/\(number)/state", title: "ask for the order", body: ExpressWire.Reply(), about: about)
        }
        guard order.number == number else { throw Self.merchantSilent }
        return AuthorWire.State(number: number, state: order.state)
    }

    /// Refusals go on as they came; what has no answer is unknown.
    private func atMerchant<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch let refusal as SandboxRefusal { throw refusal } catch { throw Self.merchantSilent }
    }

    private static let merchantSilent = SandboxRefusal(
        code: "merchant-unavailable", reason: "the shop does not answer: ask again", status: 503)
    private static let cashierSilent = SandboxRefusal(
        code: "cashier-unavailable", reason: "the wallet’s cashier does not answer: order again", status: 503)

    // MARK: Programs

    func published() async throws -> AuthorWire.Programs {
        let rows = try await database.read { try PartyRecords.all(AuthorPublication.self, in: $0) }
        let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return AuthorWire.Programs(
            programs: programs.map { program in
                let row = known[program.appID]
                return .init(
                    appId: program.appID, name: program.name, kind: program.kind, version: row?.releaseVersion,
                    state: row?.state ?? AuthorPublication.unpublished, codes: row?.codes ?? [])
            })
    }
}

extension UserInfoMember {
    /// The scope that is named for it alone, where there is one.
    fileprivate var usualScope: String {
        switch self {
        case .userId: "USER_ID"
        case .loginId: "USER_LOGIN_ID"
        case .hashLoginId: "HASH_LOGIN_ID"
        case .nickName: "USER_NICKNAME"
        case .userName: "USER_NAME"
        case .avatar: "USER_AVATAR"
        case .gender: "USER_GENDER"
        case .birthDate: "USER_BIRTHDAY"
        case .nationality: "USER_NATIONALITY"
        case .contactInfo: "USER_CONTACTINFO"
        }
    }
}
