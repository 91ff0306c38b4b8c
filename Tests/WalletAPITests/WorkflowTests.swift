import BillfoldDiagnosis
import Foundation
import Synchronization
import Testing
import WalletAPI

/// Answers when the test says so.
private final class HeldOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {  // State lies behind a lock.
    typealias Callback = @Sendable (IAPWalletOAuthResult) -> Void
    let held = Mutex<[Callback]>([])

    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) { held.withLock { $0.append(callback) } }

    var count: Int { held.withLock { $0.count } }

    func answer(_ index: Int) { held.withLock { $0[index] }(IAPWalletOAuthResult(authCode: "code-\(index)")) }
}

/// What the workflow reports.
private final class Reports: Sendable {
    private let findings = Mutex<[Finding]>([])
    var codes: [String] { findings.withLock { $0.map(\.code) } }
    func add(_ finding: Finding) { findings.withLock { $0.append(finding) } }
}

@Suite struct WorkflowTests {
    private let service = HeldOAuthService()
    private let reports = Reports()

    private func workflow(limit: Duration = .seconds(30)) -> AuthorizationWorkflow {
        AuthorizationWorkflow(
            services: WalletServices(oauth: service), limits: .init(service: limit), report: { [reports] in reports.add($0) })
    }

    private func request(
        user: String = "u", app: String = "a", client: String? = "c", page: String = "pages/x", cycle: Int = 1
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            userID: user, appID: app, authClientID: client, name: "Tea", logo: "", scopes: [], page: page, showCycle: cycle)
    }

    private func until(_ condition: @Sendable () -> Bool) async throws {
        for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(2)) }
        try #require(condition())
    }

    @Test func noScopesMeanTheBase() { #expect(request().scopes == ["auth_base"]) }

    @Test(arguments: [nil, ""])
    func unsetClientIsNamed(client: String?) async {
        let outcome = await workflow().authCode(for: request(client: client))
        guard case .refused(let refusal) = outcome else { return #expect(Bool(false), "granted") }
        #expect(
            refusal.cause == .clientUnset && refusal.reason.contains("authClientId") && reports.codes == ["wallet-api.auth-client-unset"])
        #expect(service.count == 0)
    }

    @Test func unregisteredServiceIsNamed() async {
        let outcome = await AuthorizationWorkflow(services: WalletServices()).authCode(for: request())
        #expect(outcome == .refused(.init(.serviceUnregistered, .appServiceError, reason: "OAuthService is not registered")))
    }

    @Test func callsOfOneUserAndAppWaitForEachOther() async throws {
        let workflow = workflow()
        async let first = workflow.authCode(for: request())
        try await until { [service] in service.count == 1 }
        async let second = workflow.authCode(for: request(cycle: 2))
        async let other = workflow.authCode(for: request(user: "v"))
        try await until { [service] in service.count == 2 }
        try await Task.sleep(for: .milliseconds(50))
        #expect(service.count == 2)  // The other user's call went through; the second of the same waits.
        service.answer(0)
        try await until { [service] in service.count == 3 }
        service.answer(1)
        service.answer(2)
        #expect(await first == .granted(.init(authCode: "code-0", successScopes: [])))
        #expect(await other == .granted(.init(authCode: "code-1", successScopes: [])))
        #expect(await second == .granted(.init(authCode: "code-2", successScopes: [])))
    }

    @Test func callerThatGoesAwayLosesItsTurnOnly() async throws {
        let workflow = workflow()
        async let first = workflow.authCode(for: request())
        try await until { [service] in service.count == 1 }
        let waiting = Task { await workflow.authCode(for: request(cycle: 2)) }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        guard case .refused(let refusal) = await waiting.value else { return #expect(Bool(false), "granted") }
        #expect(refusal.cause == .abandoned)
        async let third = workflow.authCode(for: request(cycle: 3))
        service.answer(0)
        _ = await first
        try await until { [service] in service.count == 2 }
        service.answer(1)
        #expect(await third == .granted(.init(authCode: "code-1", successScopes: [])))
    }

    @Test func serviceThatNeverAnswersTimesOut() async {
        guard case .refused(let refusal) = await workflow(limit: .milliseconds(30)).authCode(for: request()) else {
            return #expect(Bool(false), "granted")
        }
        #expect(refusal.cause == .timedOut && refusal.code == .timeout)
    }

    @Test func answerWithoutCodeIsNoSuccess() async throws {
        let workflow = workflow()
        async let outcome = workflow.authCode(for: request())
        try await until { [service] in service.count == 1 }
        service.held.withLock { $0[0] }(IAPWalletOAuthResult(authCode: "", authErrorScopes: ["X": "unknown scope"]))
        guard case .refused(let refusal) = await outcome else { return #expect(Bool(false), "granted") }
        #expect(refusal.cause == .noCode && refusal.errorScopes == ["X": "unknown scope"])
    }

    @Test func secondCallWithinOneShowIsWarnedOfOnce() async {
        let workflow = workflow(limit: .milliseconds(5))
        for cycle in [1, 1, 1, 2] { _ = await workflow.authCode(for: request(cycle: cycle)) }
        #expect(reports.codes == ["wallet-api.repeated-get-auth-code"])
        _ = await workflow.authCode(for: request(page: "pages/y", cycle: 2))
        #expect(reports.codes.count == 1)
    }

    @Test func appIdAsClientIsWarnedOf() async {
        _ = await workflow(limit: .milliseconds(5)).authCode(for: request(client: "a"))
        #expect(reports.codes == ["wallet-api.auth-client-is-app-id"])
    }
}

@Suite struct ScopeCacheTests {
    @Test func scopesGrowByUserAndApp() {
        let cache = MemoryScopeCache()
        let key = ScopeCacheKey(userID: "u", appID: "a")
        cache.add(["A"], for: key)
        cache.add(["B"], for: key)
        #expect(cache.scopes(for: key) == ["A", "B"])
        #expect(cache.scopes(for: .init(userID: "u", appID: "b")).isEmpty && cache.scopes(for: .init(userID: "v", appID: "a")).isEmpty)
    }

    @Test func signOutAndRevokeForget() {
        let cache = MemoryScopeCache()
        for (user, app) in [("u", "a"), ("u", "b"), ("v", "a")] { cache.add(["A"], for: .init(userID: user, appID: app)) }
        cache.revoke(.init(userID: "u", appID: "a"))
        #expect(cache.scopes(for: .init(userID: "u", appID: "a")).isEmpty && !cache.scopes(for: .init(userID: "u", appID: "b")).isEmpty)
        cache.signOut(userID: "u")
        #expect(cache.scopes(for: .init(userID: "u", appID: "b")).isEmpty && !cache.scopes(for: .init(userID: "v", appID: "a")).isEmpty)
    }

    @Test func keysOfTwoUsersNeverMeet() {
        #expect(ScopeCacheKey(userID: "u", appID: "a").description == "MPS_scope_u_a")
        #expect(ScopeCacheKey(userID: "a_b", appID: "c").description != ScopeCacheKey(userID: "a", appID: "b_c").description)
        #expect(ScopeCacheKey(userID: "a%5F", appID: "c").description != ScopeCacheKey(userID: "a_", appID: "c").description)
    }
}
