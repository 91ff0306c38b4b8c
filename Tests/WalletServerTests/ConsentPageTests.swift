import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import HTTPTypes
import MiniPrograms
import Testing

@testable import WalletServer

/// The pages on which a person agrees to scopes and signs contracts (mini-programs.md#steps, 10 to 14 and 20 to 21;
/// mini-programs.md#contract).
struct ConsentPageTests {
    private static let page = "/wallet/consent/\(SuperAppScene.app)/USER_NAME-USER_AVATAR-auth_base-UNHEARD_OF-CARD_LIST/s1"

    private func agreed(_ scene: SuperAppScene) async throws -> Set<String> {
        let calls = try #require(scene.wallet.server.superAppCalls)
        return try await calls.agreedScopes(appID: SuperAppScene.app, user: TestWallet.mei.number)
    }

    @Test func aStrangerLogsInAndComesBackToTheQuestion() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            #expect(try await browser.get(Self.page).headers[.location] == Self.page + "/login")
            let wrong = try await browser.submit(Self.page + "/login", ["name": TestWallet.mei.email, "password": "no"])
            #expect(wrong.status == 401 && wrong.body.contains("notice-bad"))
            let answer = try await browser.submit(
                Self.page + "/login", ["name": TestWallet.mei.email, "password": TestWallet.mei.loginPassword])
            #expect(answer.status == 303 && answer.headers[.location] == Self.page)
        }
    }

    @Test func aPersonSeesWhatIsAskedAndAgrees() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            let page = try await browser.get(Self.page)
            #expect(page.status == 200 && page.body.contains("<li>Your name</li>") && page.body.contains("<li>Your picture</li>"))
            // Silent, unknown and forbidden scopes are not asked about.
            #expect(page.field("scopes") == "USER_AVATAR USER_NAME" && page.body.components(separatedBy: "<li>Your").count == 3)
            let answer = try await browser.submit(Self.page, ["decision": "agree"])
            let back = try #require(answer.headers[Browser.refresh])
            #expect(answer.status == 200 && back.hasPrefix("0; url=billfoldwallet://consent?state=s1&referenceAgreementId="), "\(back)")
            #expect(try await agreed(scene) == ["USER_NAME", "USER_AVATAR"])
            // What is agreed to is not asked again, and the way back names the agreement.
            let again = try await browser.get(Self.page)
            #expect(again.headers[Browser.refresh] == back && again.body.contains("data-way-back"))
        }
    }

    @Test func aRefusalIsTheDocumentedCode() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            let answer = try await browser.submit(Self.page, ["decision": "refuse"])
            #expect(answer.headers[Browser.refresh] == "0; url=billfoldwallet://consent?state=s1&error=1001")
            #expect(try await agreed(scene).isEmpty)
        }
    }

    @Test func nobodyAgreesToMoreThanThePageSaid() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            let answer = try await browser.submit(Self.page, ["decision": "agree", "scopes": "USER_NAME"])
            #expect(answer.status == 409)
            #expect(try await agreed(scene).isEmpty)
        }
    }

    @Test func aFormFromElsewhereAgreesToNothing() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            for form in [["decision": "agree"], ["decision": "agree", "csrf": String(repeating: "0", count: 32)]] {
                let answer = try await browser.send(.post, Self.page, form: form.merging(["scopes": "USER_AVATAR USER_NAME"]) { $1 })
                #expect(answer.status == 403)
            }
            // Nor one of the wallet's other pages.
            let other = try #require(try await browser.get("/wallet").field("csrf"))
            let form = ["decision": "agree", "scopes": "USER_AVATAR USER_NAME", "csrf": other]
            #expect(try await browser.send(.post, Self.page, form: form).status == 403)
            #expect(try await agreed(scene).isEmpty)
        }
    }

    @Test(arguments: [
        "/wallet/consent/nothing/USER_NAME/s1", "/wallet/consent/\(SuperAppScene.app)/USER%20NAME/s1",
        "/wallet/consent/\(SuperAppScene.app)/-/s1", "/wallet/consent/\(SuperAppScene.app)/USER_NAME/a%0d%0ab",
        "/wallet/consent/\(SuperAppScene.app)/\(String(repeating: "A-", count: 40))A/s1",
    ])
    func anAddressThatNamesNothingIsRefused(path: String) async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            let answer = try await browser.get(path)
            #expect(answer.status == 400 || answer.status == 404, "\(answer.status)")
            #expect(answer.headers[Browser.refresh] == nil && answer.headers[.location] == nil)
        }
    }

    @Test func aProgramThatWasTakenDownAsksNothing() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            try await scene.office.setOpen(false, appID: SuperAppScene.app, by: "ada", reason: "complaints")
            #expect(try await browser.get(Self.page).status == 404)
        }
    }

    @Test func theQuestionSpeaksChineseAndSwitches() async throws {
        try await SuperAppScene.open { scene in
            let browser = scene.wallet.browser(language: "zh-CN")
            try await browser.logIn(TestWallet.mei)
            #expect(try await browser.get(Self.page).body.contains("<li>您的姓名</li>"))
            let answer = try await browser.get("/wallet/language?to=en&next=\(Self.page)")
            #expect(answer.headers[.location] == Self.page)
        }
    }

    // MARK: Contracts

    private func prepare(_ scene: SuperAppScene) async throws -> String {
        try await scene.office.grant(.init(scopes: ["AGREEMENT_PAY": .ask]), to: SuperAppScene.app, by: "ada", reason: "contract")
        let request = PrepareRequest(contractDescription: "Up to ¥20 a month\n<b>for tea</b>")
        let (result, object) = try await scene.call(PrepareRequest.path, request.body)
        #expect(result == .success)
        let address = try #require(object["authUrl"]?.string)
        #expect(address.hasPrefix("http://wallet.test/wallet/contracts/"))
        return String(address.dropFirst("http://wallet.test".count))
    }

    @Test func aPersonReadsAContractAndSignsItOnce() async throws {
        try await SuperAppScene.open { scene in
            let path = try await prepare(scene)
            let browser = scene.wallet.browser()
            // The same address asks a stranger to log in.
            let login = try await browser.submit(path, ["name": TestWallet.mei.email, "password": TestWallet.mei.loginPassword])
            #expect(login.status == 303 && login.headers[.location] == path)
            let page = try await browser.get(path)
            #expect(page.body.contains("Up to ¥20 a month\n&lt;b&gt;for tea") && page.body.contains("Tea house"))
            #expect(try await browser.submit(path, ["decision": "sign", "password": "12"]).status == 422)
            #expect(try await browser.submit(path, ["decision": "sign", "password": "999999"]).status == 422)
            let signed = try await browser.submit(path, ["decision": "sign", "password": TestWallet.mei.paymentPassword])
            let back = try #require(signed.headers[Browser.refresh])
            #expect(back.hasPrefix("0; url=billfoldwallet://contract?authCode="))
            let code = String(back.dropFirst("0; url=billfoldwallet://contract?authCode=".count))
            #expect(try await scene.applyToken(.authorizationCode(Secret(code))).tokens != nil)
            #expect(try await agreed(scene) == ["AGREEMENT_PAY"])
            // Signed is signed.
            #expect(try await browser.get(path).status == 404)
        }
    }

    @Test func aContractIsRefusedOrIsForAnotherProgram() async throws {
        try await SuperAppScene.open { scene in
            let path = try await prepare(scene)
            let browser = scene.wallet.browser()
            try await browser.logIn(TestWallet.mei)
            #expect(try await browser.get("\(path)/\(SuperAppScene.otherApp)").status == 404)
            #expect(try await browser.get("\(path)/\(SuperAppScene.app)").status == 200)
            let answer = try await browser.submit(path, ["decision": "refuse"])
            #expect(answer.headers[Browser.refresh] == "0; url=billfoldwallet://contract?error=1001")
            #expect(try await agreed(scene).isEmpty)
            scene.wallet.clock.advance(by: .seconds(901))
            #expect(try await browser.get(path).status != 200)
        }
    }
}
