import AppContainer
import BillfoldJSON
import Foundation
import Testing
import WalletAPI

private final class OAuth: IAPWalletOAuthServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) {
        if scopes.contains("refused") { return callback(IAPWalletOAuthResult().failing(.userCancel, "no")) }
        callback(
            IAPWalletOAuthResult(
                authCode: "code-\(clientId)-\(context?.appId ?? "")", authState: nil, authErrorScopes: ["X": "unknown"],
                authSuccessScopes: scopes.sorted(), authRedirectUrl: nil))
    }
}

private final class Payment: IAPWalletPaymentServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletPaymentResult) -> Void
    ) {
        switch request.tradeNO {
        case "paid": callback(IAPWalletPaymentResult(resultCode: "9000"))
        case "cancelled": callback(IAPWalletPaymentResult().failing(.userCancel, "left"))
        case "late": callback(IAPWalletPaymentResult().failing(.timeout, "no answer"))
        default: callback(IAPWalletPaymentResult().failing(.unknownError, "nobody knows"))
        }
    }
}

private final class Code: IAPWalletCodeServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        if option.hideAlbum { return callback(IAPWalletScannerResult().failing(.userCancel, "left")) }
        callback(IAPWalletScannerResult(code: option.type == .barCode ? "123" : "https://a.example"))
    }
}

struct WalletHostTests {
    private func logs(_ body: String, count: Int, services: WalletServices, client: String? = "merchant") async throws -> [String] {
        let screen = Witness()
        let host = WalletHost(
            services: services, authorization: AuthorizationWorkflow(services: services),
            deepLinks: DeepLinkWorkflow(services: services, policy: { _ in DeepLinkPolicy(scenes: ["SCAN"]) }), screen: screen)
        var setup = setup(
            "const say = (f) => (r) => console.log(f(r)); Page({ async onReady() { \(body) }, onHide() { console.log('hide') } })", screen)
        setup.host = host
        setup.identity.authClientID = client
        setup.grant.features = ["auth", "payment", "scan", "biz-scene", "user-info"]
        let program = MiniProgram(setup)
        program.launch()
        #expect(await screen.wait { $0.logs.count >= count })
        program.end()
        return screen.logs
    }

    private let all = WalletServices(oauth: OAuth(), payment: Payment(), code: Code())

    @Test func authCodeComesFromTheServiceWithTheClientOfTheMetadata() async throws {
        let logs = try await logs(
            """
            const r = await my.getAuthCode({ scopes: 'USER_ID' }); console.log(r.authCode, r.authSuccessScopes, r.authErrorScopes)
            try { await my.getAuthCode({ scopes: ['refused'] }) } catch (e) { console.log(e.error) }
            """, count: 2, services: all)
        #expect(logs == [#"code-merchant-app ["USER_ID"] {"X":"unknown"}"#, "11"])
    }

    @Test func unsetClientAndUnregisteredServiceAreNamed() async throws {
        let body = "my.getAuthCode({ fail: (e) => console.log(e.error, e.errorMessage) })"
        #expect(try await logs(body, count: 1, services: all, client: nil).first?.hasPrefix("15 auth-client-unset") == true)
        #expect(try await logs(body, count: 1, services: WalletServices()).first?.contains("OAuthService is not registered") == true)
    }

    @Test func endsOfPaymentsAreSuccessesAndUnknownStaysUnknown() async throws {
        let logs = try await logs(
            """
            for (const tradeNO of ['paid', 'cancelled', 'late', 'other']) console.log((await my.tradePay({ tradeNO })).resultCode)
            my.tradePay({ tradeNo: 'x', fail: (e) => console.log(e.error, e.errorMessage.includes('tradeNo')) })
            my.tradePay({ tradeNO: 'x', orderStr: 'y', fail: (e) => console.log(e.error) })
            """, count: 6, services: all)
        #expect(logs == ["9000", "6001", "6004", "6004", "2 true", "2"])
    }

    @Test func scannerGivesCodeAndItsKindAndHidesThePage() async throws {
        let logs = try await logs(
            """
            let r = await my.scan({ type: 'bar' }); console.log(r.code, r.barCode, r.qrCode); r = await my.scan(); console.log(r.code === r.qrCode)
            try { await my.scan({ hideAlbum: true }) } catch (e) { console.log(e.error) }
            """, count: 6, services: all)
        #expect(
            logs == ["hide", "123 123 undefined", "hide", "true", "hide", "10"]
                || logs == ["hide", "123 123 ", "hide", "true", "hide", "10"])
    }

    @Test func scenesNeedTheirListAndATap() async throws {
        let body =
            "my.navigateToBizScene({ sceneCode: 'TOP_UP', fail: (e) => console.log(e.error) }); my.navigateToBizScene({ bizScene: 'SCAN', fail: (e) => console.log(e.error) })"
        #expect(try await logs(body, count: 2, services: all) == ["4", "4"])
    }
}
