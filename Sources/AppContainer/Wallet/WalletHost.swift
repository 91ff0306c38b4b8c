public import BillfoldJSON
import MiniPrograms
public import WalletAPI

/// Turns the calls that are the wallet's into calls of the super app's Wallet services (mini-programs.md#parties), and hands the others on.
///
/// Who asks is taken from the running instance. A service that is not registered answers too, with a reason that names it.
public struct WalletHost: JSAPIHost {
    private let services: WalletServices
    private let authorization: AuthorizationWorkflow
    private let deepLinks: DeepLinkWorkflow
    private let screen: any JSAPIHost

    /// - Parameters:
    ///   - services: What the super app registered.
    ///   - authorization: One for all mini programs of a user, because their calls wait for each other.
    ///   - deepLinks: With the allow-lists of each mini program.
    ///   - screen: Answers everything else, shows the pages and hears what happens.
    public init(services: WalletServices, authorization: AuthorizationWorkflow, deepLinks: DeepLinkWorkflow, screen: any JSAPIHost) {
        self.services = services
        self.authorization = authorization
        self.deepLinks = deepLinks
        self.screen = screen
    }

    public var systemInfo: JSONObject { screen.systemInfo }
    public func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { screen.show(update, painted: painted) }
    public func observe(_ event: ProgramEvent) { screen.observe(event) }

    public func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        switch call.name {
        case "tradePay": pay(call, reply)
        // The workflows wait for people and servers, and the program's thread must not.
        case "getAuthCode": Task { reply(await authCode(call)) }
        case "scan": Task { reply(await scan(call)) }
        case "navigateToBizScene", "openURL": Task { reply(await open(call)) }
        case "getOpenUserInfo", "getAuthUserInfo": Task { reply(await userInfo(call)) }
        default: screen.answer(call, reply)
        }
    }

    private func context(_ call: JSAPICall) -> IAPWalletAPIContext {
        IAPWalletAPIContext(
            appId: call.identity.appID, appName: call.identity.name, page: call.page, version: call.identity.version,
            workspace: call.identity.workspace)
    }

    // MARK: Identity

    private func authCode(_ call: JSAPICall) async -> JSAPIAnswer {
        let identity = call.identity
        let request = AuthorizationRequest(
            userID: identity.userID, appID: identity.appID, authClientID: identity.authClientID, name: identity.name, logo: identity.logo,
            scopes: Set(call.arguments["scopes"]?.array?.compactMap(\.string) ?? []), workspace: identity.workspace, page: call.page,
            showCycle: call.showCycle, version: identity.version)
        switch await authorization.authCode(for: request) {
        case .granted(let grant):
            return .success(
                JSONObject([
                    .init("authCode", .string(grant.authCode)),
                    .init("authSuccessScopes", .array(grant.successScopes.map(JSONValue.string))),
                    .init("authErrorScopes", .texts(grant.errorScopes)),
                ]))
        case .refused(let refusal):
            return .failure(
                JSAPIFailure(error: Self.error(of: refusal.cause), errorMessage: refusal.description),
                JSONObject([.init("authErrorScopes", .texts(refusal.errorScopes))]))
        }
    }

    /// The codes of `getAuthCode` that one wallet publishes (mini-programs.md#payment-and-identity [D]); which cause has which is inferred
    /// [I].
    private static func error(of cause: AuthorizationRefusal.Cause) -> Int {
        switch cause {
        case .userCancelled, .abandoned: 11
        case .timedOut: 13
        case .noCode: 3
        case .clientUnset, .serviceUnregistered, .consentNotCached, .serviceFailed: 15
        }
    }

    private func userInfo(_ call: JSAPICall) async -> JSAPIAnswer {
        let scope = IAPWalletMemberInfoScope(scopes: [WalletScope.user.rawValue])
        let result = await services.member.getMemberInfo(strategy: .remoteFetch, scope: scope, in: context(call))
        if let failure = result.failure {
            return .failure(JSAPIFailure(error: failure.code == .userCancel ? 11 : 15, errorMessage: "\(failure)"))
        }
        guard let member = result.memberInfo else { return .failure(JSAPIFailure(.unknown, "the member service gave no data")) }
        // The user's id is never among them (mini-programs.md#payment-and-identity).
        let data: [(String, String?)] = [
            ("nickName", member.nickName), ("avatar", member.avatar), ("gender", member.gender), ("countryCode", member.countryCode),
            ("province", member.province), ("city", member.city),
        ]
        let members = data.compactMap { name, value in value.map { JSONObject.Member(name, .string($0)) } }
        guard call.name == "getOpenUserInfo" else {
            return .success(JSONObject(members.filter { ["nickName", "avatar"].contains($0.key) }))
        }
        let inner = JSONObject([.init("code", "10000"), .init("msg", "Success")] + members)
        let text = JSONValue.object(JSONObject([.init("response", .object(inner))])).text
        return .success(JSONObject([.init("response", .string(text))]))
    }

    // MARK: Payment

    /// Every end of a payment is a success with its code; only a call that asks for nothing fails (mini-programs.md#tradepay).
    private func pay(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        let names = ["tradeNO", "orderStr", "paymentUrl"]
        let given = names.filter { call.arguments[$0]?.string?.isEmpty == false }
        guard given.count == 1 else {
            let near = call.arguments.members.map(\.key).first { key in names.contains { $0.lowercased() == key.lowercased() && $0 != key }
            }
            let what = given.isEmpty ? "none" : given.joined(separator: " and ")
            let hint = near.map { "; \(AppContainerError.quoted($0, limit: 32)) is spelt otherwise" } ?? ""
            return reply(
                .failure(
                    JSAPIFailure(
                        .invalidParameter,
                        "tradePay takes exactly one of tradeNO, orderStr and paymentUrl, and was given \(what)\(hint)"
                    )))
        }
        if let number = call.arguments["tradeNO"]?.string, number.utf8.count > 64 {
            return reply(.failure(JSAPIFailure(.invalidParameter, "tradePay: tradeNO has more than 64 characters")))
        }
        let request = IAPWalletPaymentRequest(
            tradeNO: call.arguments["tradeNO"]?.string, orderStr: call.arguments["orderStr"]?.string,
            paymentUrl: call.arguments["paymentUrl"]?.string)
        Task {
            let result = await services.payment.pay(with: request, in: context(call))
            var object = JSONObject([.init("resultCode", .string(result.ending.rawValue))])
            if let memo = result.failure?.reason ?? result.resultMessage { object["memo"] = .string(memo) }
            reply(.success(object))
        }
    }

    // MARK: Codes and links

    private func scan(_ call: JSAPICall) async -> JSAPIAnswer {
        let asked = (call.arguments["scanType"]?.array?.compactMap(\.string) ?? []) + (call.arguments["type"]?.string.map { [$0] } ?? [])
        // QR codes unless bar codes alone were asked for.
        let isBar = !asked.isEmpty && asked.allSatisfy { $0.lowercased().hasPrefix("bar") }
        let option = IAPWalletScannerOption(type: isBar ? .barCode : .qrCode, hideAlbum: call.arguments["hideAlbum"]?.bool ?? false)
        let result = await services.code.scan(with: option, in: context(call))
        if let failure = result.failure {
            return .failure(JSAPIFailure(error: failure.code == .userCancel ? 10 : 11, errorMessage: "\(failure)"))
        }
        guard let code = result.code else { return .failure(JSAPIFailure(error: 11, errorMessage: "the scanner gave no code")) }
        let wasBar = (result.codeType ?? option.type) == .barCode
        return .success(
            JSONObject([
                .init("code", .string(code)), .init(wasBar ? "barCode" : "qrCode", .string(code)),
                .init("scanType", .string(wasBar ? "BAR" : "QR")),
            ]))
    }

    private func open(_ call: JSAPICall) async -> JSAPIAnswer {
        do throws(DeepLinkRefusal) {
            if call.name == "openURL" {
                try await deepLinks.open(call.arguments["url"]?.string ?? "", in: context(call), hasGesture: call.followsTap)
                return .success([])
            }
            let members = call.arguments["param"]?.members ?? []
            let parameters = Dictionary(
                members.compactMap { member in member.value.scalar.map { (member.key, $0) } }, uniquingKeysWith: { $1 })
            let answer = try await deepLinks.open(
                scene: call.arguments["sceneCode"]?.string ?? "", with: parameters, in: context(call), hasGesture: call.followsTap)
            return .success(JSONObject(answer.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
        } catch {
            return .failure(JSAPIFailure(error: error.jsapiError, errorMessage: "\(error)"))
        }
    }
}

extension MiniProgramIdentity {
    fileprivate var workspace: IAPWalletOAuthCodeFlowType { isFromAlipayConnect ? .alipayConnect : .localMiniProgram }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String: String]) -> JSONValue {
        .object(JSONObject(texts.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
    }
}
