import BillfoldConcurrency
public import BillfoldDiagnosis

/// The authorisation workflow of the container's core (mini-programs.md#steps): from `my.getAuthCode` to its success or fail callback.
///
/// It asks the service for a code; where agreement is pending it lets the service show the consent page, once, and asks a second time.
/// Calls of one user and one mini program wait for each other, so that one page is shown, and the second call finds the scopes remembered.
/// The scopes are remembered by the super app and not here: ``ScopeCache`` and ``ConsentingOAuthService`` do it for those who have nothing.
public actor AuthorizationWorkflow {
    /// How long a service may take. A person may take as long as they like: the page has no limit by default.
    public struct Limits: Sendable {
        /// For each `getAuthCode` of the service.
        public var service: Duration
        /// For the consent page; nil waits for ever.
        public var page: Duration?

        public init(service: Duration = .seconds(30), page: Duration? = nil) {
            self.service = service
            self.page = page
        }
    }

    struct Lane: Hashable {
        var userID: String
        var appID: String
    }

    private let services: WalletServices
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let report: @Sendable (Finding) -> Void
    private let lanes = Lanes<Lane>()
    private var cycles: [Lane: ShowCycle] = [:]

    /// - Parameters:
    ///   - services: Its OAuthService is asked.
    ///   - limits: How long the service may take.
    ///   - clock: Measures the limits.
    ///   - report: Told what the mini program's or the super app's engineers should mend. It may be called from any thread.
    public init(
        services: WalletServices, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (Finding) -> Void = { _ in }
    ) {
        self.services = services
        self.limits = limits
        self.clock = clock
        self.report = report
    }

    /// Runs the workflow and answers once. A caller that is cancelled while it waits for its turn gets `abandoned`; once a service was
    /// asked, its answer is waited for, since the person may have agreed by then.
    public func authCode(for request: AuthorizationRequest) async -> AuthorizationOutcome {
        let lane = Lane(userID: request.userID, appID: request.appID)
        watch(request, in: lane)
        guard let clientID = request.authClientID, !clientID.isEmpty else { return .refused(unsetClient(request)) }
        guard services.isRegistered(.oauth) else {
            return .refused(AuthorizationRefusal(.serviceUnregistered, .appServiceError, reason: WalletServices.reason(.oauth)))
        }
        if clientID == request.appID { report(Self.appIDAsClient(request)) }
        guard await lanes.enter(lane) else {
            return .refused(AuthorizationRefusal(.abandoned, .userCancel, reason: "the caller went away before its turn"))
        }
        let outcome = await run(request, clientID: clientID)
        lanes.leave(lane)
        return outcome
    }

    /// Forgets what was counted for a mini program: when it is closed, or its user signs out.
    public func forget(userID: String, appID: String) { cycles[Lane(userID: userID, appID: appID)] = nil }

    // MARK: The steps

    private func run(_ request: AuthorizationRequest, clientID: String) async -> AuthorizationOutcome {
        let first = await code(for: request, clientID: clientID)
        guard first.failure?.code == .authPendingAgreement else { return Self.outcome(of: first) }
        let confirmed = await consent(to: request, clientID: clientID)
        if let failure = confirmed.failure {
            // Whatever the error, the person did not agree (mini-programs.md#consent-rules); a page that could not be shown is the
            // service's failure.
            let cause: AuthorizationRefusal.Cause =
                switch failure.code {
                case .appServiceError, .systemError: .serviceFailed
                case .timeout: .timedOut
                default: .userCancelled
                }
            let code = cause == .userCancelled ? IAPWalletErrorCode.userCancel : failure.code
            return .refused(AuthorizationRefusal(cause, code, reason: failure.reason))
        }
        let second = await code(for: request, clientID: clientID)
        guard second.failure?.code == .authPendingAgreement else { return Self.outcome(of: second) }
        let finding = Self.consentNotCached(request)
        report(finding)
        return .refused(AuthorizationRefusal(.consentNotCached, .appServiceError, reason: finding.cause))
    }

    private func code(for request: AuthorizationRequest, clientID: String) async -> IAPWalletOAuthResult {
        let service = services.oauth
        let late = IAPWalletOAuthResult().failing(.timeout, "getAuthCode did not answer within \(limits.service)")
        return await answer(within: limits.service, late: late) {
            await service.getAuthCode(
                clientId: clientID, scopes: request.scopes, type: request.workspace, extendedInfo: request.extendedInfo,
                in: request.context)
        }
    }

    private func consent(to request: AuthorizationRequest, clientID: String) async -> IAPWalletAuthPageConfirmResult {
        let service = services.oauth
        let show: @Sendable () async -> IAPWalletAuthPageConfirmResult = {
            await service.showAuthPage(
                clientId: clientID, name: request.name, logo: request.logo, scopes: request.scopes, extendedInfo: request.extendedInfo,
                in: request.context)
        }
        guard let limit = limits.page else { return await show() }
        let late = IAPWalletAuthPageConfirmResult().failing(.timeout, "showAuthPage did not answer within \(limit)")
        return await answer(within: limit, late: late, show)
    }

    private func answer<Answer: IAPWalletBaseServiceResult>(
        within limit: Duration, late: Answer, _ ask: @escaping @Sendable () async -> Answer
    ) async -> Answer {
        // In tasks of their own: a service that was asked is neither torn down nor left, whoever goes away.
        let asking = Task { await ask() }
        let waiting = Task { [clock] in
            try await firstAnswer(within: limit, by: { try await clock.sleep(for: $0) }, of: { await asking.value })
        }
        return (try? await waiting.value) ?? late
    }

    private static func outcome(of result: IAPWalletOAuthResult) -> AuthorizationOutcome {
        let errorScopes = result.authErrorScopes
        if let failure = result.failure {
            let cause: AuthorizationRefusal.Cause =
                switch failure.code {
                case .userCancel: .userCancelled
                case .timeout: .timedOut
                default: .serviceFailed
                }
            return .refused(AuthorizationRefusal(cause, failure.code, reason: failure.reason, errorScopes: errorScopes))
        }
        guard let code = result.authCode, !code.isEmpty else {
            return .refused(
                AuthorizationRefusal(
                    .noCode, .unknownError, reason: "getAuthCode answered neither a code nor an error", errorScopes: errorScopes))
        }
        return .granted(AuthorizationGrant(authCode: code, successScopes: result.authSuccessScopes, errorScopes: errorScopes))
    }
}

// MARK: What engineers are told

extension AuthorizationWorkflow {
    struct ShowCycle {
        var page: String
        var number: Int
        var calls = 1
    }

    private func watch(_ request: AuthorizationRequest, in lane: Lane) {
        guard var cycle = cycles[lane], cycle.page == request.page, cycle.number == request.showCycle else {
            cycles[lane] = ShowCycle(page: request.page, number: request.showCycle)
            return
        }
        cycle.calls += 1
        cycles[lane] = cycle
        // Told once for each cycle: a loop would otherwise fill the console.
        if cycle.calls == 2 { report(Self.repeatedCalls(request)) }
    }

    private func unsetClient(_ request: AuthorizationRequest) -> AuthorizationRefusal {
        let finding = Finding(
            code: "wallet-api.auth-client-unset", subject: request.appID,
            cause: "The mini program's metadata has no authClientId, so nobody knows which client asks.",
            mend: "Record the client id that the super app gave the merchant in the mini program's settings on the platform.")
        report(finding)
        return AuthorizationRefusal(.clientUnset, .appServiceError, reason: "authClientId is not set for mini program \(request.appID)")
    }

    private static func appIDAsClient(_ request: AuthorizationRequest) -> Finding {
        Finding(
            code: "wallet-api.auth-client-is-app-id", severity: .warning, subject: request.appID,
            cause: "The metadata's authClientId is the mini program's own id.", evidence: [.init("authClientId", request.appID)],
            mend: "Record the client id that the super app gave the merchant: the two ids are unrelated.")
    }

    private static func consentNotCached(_ request: AuthorizationRequest) -> Finding {
        Finding(
            code: "wallet-api.consent-not-cached", subject: request.appID,
            cause:
                "The super app still answered 2001 after the person had agreed: it did not remember the scopes before showAuthPage answered.",
            evidence: [.init("scopes", request.scopes.sorted().joined(separator: " ")), .init("key", "user and \(request.appID)")],
            mend: "Remember the agreed scopes by user and mini program in showAuthPage, and look there first in getAuthCode.")
    }

    private static func repeatedCalls(_ request: AuthorizationRequest) -> Finding {
        Finding(
            code: "wallet-api.repeated-get-auth-code", severity: .warning, subject: request.appID,
            cause: "getAuthCode was called twice within one show of the page.", evidence: [.init("page", request.page)],
            mend: "Do not call getAuthCode from onShow: the consent page's dismissal fires it again. Call it from onLoad or a tap.")
    }
}
