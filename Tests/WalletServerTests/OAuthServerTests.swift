import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import HTTPTypes
import HummingbirdTesting
import MiniPrograms
import PaymentCrypto
import Testing

@testable import WalletServer

/// The OAuth server: codes, agreements, tokens, users' data.
struct OAuthServerTests {
    // MARK: Codes and agreements

    @Test func silentScopesGiveACodeAndOthersFailByThemselves() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let answer = try await scene.applyAuthCode(session, ["auth_base", "NOPE", "CARD_LIST"])
            #expect(answer.result.resultCode == "SUCCESS" && answer.authCode != nil)
            #expect(answer.successScopes == ["auth_base"] && Set(answer.errorScopes.keys) == ["NOPE", "CARD_LIST"])
            let none = try await scene.applyAuthCode(session, ["NOPE"])
            #expect(none.result.resultCode == "ACCESS_DENIED" && none.authCode == nil && none.errorScopes.count == 1)
        }
    }

    @Test func agreementsAddUpAndAreAskedForOnce() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            _ = try await scene.code(session, ["auth_base", "USER_NICKNAME"])
            #expect(try await scene.applyAuthCode(session, ["USER_NICKNAME"]).authCode != nil)
            let more = try await scene.applyAuthCode(session, ["USER_NICKNAME", "USER_NAME"])
            #expect(more.result == ApplyAuthCodeAnswer.pendingAgreement && more.pendingScopes == ["USER_NAME"] && more.authCode == nil)
            _ = try await scene.agree(session, ["USER_NAME"])
            #expect(
                try await scene.applyAuthCode(session, ["USER_NICKNAME", "USER_NAME"]).successScopes == ["USER_NAME", "USER_NICKNAME"])
            let listed = try await scene.asUser(session, .get, "/v1/authorizations/agreements")
            #expect(
                String(decoding: listed.body, as: UTF8.self)
                    == #"{"agreements":[{"appId":"2026112200000001","scopes":["USER_NAME","USER_NICKNAME"]}]}"#)
            // Neither another user nor another mini program has a part in it.
            let other = try await scene.signIn(TestWallet.wei)
            #expect(try await scene.applyAuthCode(other, ["USER_NICKNAME"]).pendingScopes == ["USER_NICKNAME"])
            #expect(
                try await scene.applyAuthCode(
                    session, ["USER_NICKNAME"], app: SuperAppScene.otherApp, client: SuperAppScene.otherClient
                ).pendingScopes == ["USER_NICKNAME"])
        }
    }

    @Test func whatAUserDidNotAgreeToIsRefusedByItselfAfterThePage() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let id = try await scene.agree(session, ["USER_NICKNAME"])["referenceAgreementId"]?.string
            let answer = try await scene.applyAuthCode(session, ["USER_NICKNAME", "USER_AVATAR"], agreement: id)
            #expect(answer.successScopes == ["USER_NICKNAME"] && answer.errorScopes == ["USER_AVATAR": "the user did not agree"])
            let foreign = try await scene.applyAuthCode(
                try await scene.signIn(TestWallet.wei), ["USER_NICKNAME"], agreement: id)
            #expect(foreign.result.resultCode == "PARAM_ILLEGAL" && foreign.authCode == nil)
        }
    }

    @Test(arguments: [["CARD_LIST"], ["AGREEMENT_PAY"], ["NOPE"], ["USER_NAME", "CARD_LIST"]])
    func noPageGivesWhatTheMiniProgramMayNotAskFor(scopes: [String]) async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let answer = try await scene.agree(session, scopes)
            #expect(answer["result"]?["resultCode"]?.string == "PARAM_ILLEGAL" && answer["referenceAgreementId"] == nil)
            #expect(try await scene.applyAuthCode(session, ["USER_NAME"]).authCode == nil)
        }
    }

    @Test func wrongClientsAreNamed() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            func refusal(app: String = SuperAppScene.app, client: String) async throws -> (String, String) {
                let result = try await scene.applyAuthCode(session, ["auth_base"], app: app, client: client).result
                return (result.resultCode, result.resultMessage)
            }
            let ownID = try await refusal(client: SuperAppScene.app)
            #expect(ownID.0 == "INVALID_AUTH_CLIENT" && ownID.1.contains("own id"))
            let other = try await refusal(client: SuperAppScene.otherClient).1
            #expect(
                other
                    == "authClientId merchant-2 is a merchant's client, and not the one that is recorded for the mini program: "
                    + "that is merchant-1"
            )
            #expect(try await refusal(client: SuperAppScene.author).1.hasPrefix("authClientId author-1 is an author of mini programs, and"))
            #expect(try await refusal(app: "nothing", client: SuperAppScene.client).0 == "PARAM_ILLEGAL")
            #expect(try await scene.put(SuperAppScene.app, client: nil).resultCode == "SUCCESS")
            #expect(try await refusal(client: SuperAppScene.client).1.contains("no authClientId is recorded"))
            // Recorded, and the client does not know of it.
            #expect(try await scene.put(SuperAppScene.app, client: SuperAppScene.otherClient).resultCode == "SUCCESS")
            #expect(try await refusal(client: SuperAppScene.otherClient).0 == "ACCESS_DENIED")
        }
    }

    @Test func nobodyAsksWithoutASession() async throws {
        try await SuperAppScene.open { scene in
            let body = ApplyAuthCodeRequest(appID: SuperAppScene.app, authClientID: SuperAppScene.client, scopes: ["auth_base"]).body
            for session in [nil, String(repeating: "0", count: 64), "x"] {
                #expect(try await scene.asUser(session, .post, ApplyAuthCodeRequest.path, body).status == 401)
            }
            let session = try await scene.signIn()
            let cookie = try await scene.asUser(
                nil, .post, ApplyAuthCodeRequest.path, body, headers: [.cookie: "\(Visitor.cookieName)=\(session)"])
            #expect(cookie.status == 200)
            #expect(
                try await scene.asUser(session, .post, ApplyAuthCodeRequest.path, Array("{".utf8)).body.starts(with: #"{"result""#.utf8))
        }
    }

    // MARK: Tokens

    @Test(arguments: StoreEngine.available, ApplyTokenRequest.Version.allCases)
    func aCodeGivesTokensAndTheyGiveWhatWasAgreedTo(engine: StoreEngine, version: ApplyTokenRequest.Version) async throws {
        try await SuperAppScene.open(engine) { scene in
            let session = try await scene.signIn()
            let code = try await scene.code(session, ["auth_base", "USER_NAME", "USER_LOGIN_ID", "HASH_LOGIN_ID"])
            let answer = try await scene.applyToken(.authorizationCode(code), version)
            let tokens = try #require(answer.tokens, "\(answer.result)")
            #expect(tokens.customerID == TestWallet.mei.number)
            #expect(tokens.accessTokenExpiryTime < tokens.refreshTokenExpiryTime)
            let info = try await scene.inquire(tokens.accessToken).userInfo
            #expect(Set(info.keys) == [.userId, .userName, .loginId, .hashLoginId])
            #expect(info[.userId] == TestWallet.mei.number && info[.userName] == "Mei Lin" && info[.loginId] == "mei@example.test")
            // echo -n mei@example.test | sha256sum
            #expect(info[.hashLoginId] == "77de81eee60c9e8f3fc0b8852613ebef7013d633190df83445aae001f10c9052")
            // The older path, without its client.
            let older = try await scene.call(
                InquiryUserInfoRequest.olderPath,
                InquiryUserInfoRequest(appID: nil, authClientID: nil, accessToken: tokens.accessToken).body)
            #expect(try InquiryUserInfoAnswer(older.1).userInfo == info)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aHundredExchangesOfOneCodeGiveOnePair(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let code = try await scene.code(try await scene.signIn(), ["auth_base"])
            let answers = try await withThrowingTaskGroup(of: ApplyTokenAnswer.self) { group in
                for _ in 0..<100 { group.addTask { try await scene.applyToken(.authorizationCode(code)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let tokens = answers.compactMap(\.tokens)
            #expect(tokens.count == 1)
            #expect(answers.filter { $0.result.resultCode == "USED_CODE" }.count == 99)
            let stored = try await scene.wallet.store.database.read { try $0.query("SELECT COUNT(*) FROM wallet_oauth_tokens") }
            #expect(try stored.first?.integer(0) == 1)
            // Sent at the same time is no theft: the pair works.
            #expect(try await scene.inquire(try #require(tokens.first).accessToken).result.resultCode == "SUCCESS")
        }
    }

    @Test func aCodeWorksOnceForItsClientAndInItsTime() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let code = try await scene.code(session, ["auth_base"])
            let grant = ApplyTokenRequest.Grant.authorizationCode(code)
            // Strangers are told the same of a real code as of an invented one.
            let stranger = try await scene.applyToken(
                grant, app: SuperAppScene.otherApp, client: SuperAppScene.otherClient, key: scene.keys.other)
            #expect(stranger.result.resultCode == "INVALID_CODE")
            #expect(try await scene.applyToken(grant, app: SuperAppScene.otherApp).result.resultCode == "INVALID_CODE")
            #expect(try await scene.applyToken(.authorizationCode(Secret("x"))).result.resultCode == "INVALID_CODE")
            #expect(try await scene.applyToken(grant, wallet: "GCASH").result.resultCode == "PARAM_ILLEGAL")
            #expect(try await scene.applyToken(grant, wallet: "ALIPAY_CN").tokens != nil)
            let late = try await scene.code(session, ["auth_base"])
            scene.wallet.clock.advance(by: .seconds(300))
            #expect(try await scene.applyToken(.authorizationCode(late)).result.resultCode == "EXPIRED_CODE")
        }
    }

    @Test(arguments: StoreEngine.available)
    func aCodeThatComesLaterAgainEndsWhatItGave(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let code = try await scene.code(try await scene.signIn(), ["auth_base"])
            let tokens = try #require(try await scene.applyToken(.authorizationCode(code)).tokens)
            scene.wallet.clock.advance(by: .seconds(9))
            #expect(try await scene.applyToken(.authorizationCode(code)).result.resultCode == "USED_CODE")
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "SUCCESS")
            scene.wallet.clock.advance(by: .seconds(1))
            // A stranger's replay ends nothing.
            _ = try await scene.applyToken(
                .authorizationCode(code), app: SuperAppScene.otherApp, client: SuperAppScene.otherClient, key: scene.keys.other)
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "SUCCESS")
            #expect(try await scene.applyToken(.authorizationCode(code)).result.resultCode == "USED_CODE")
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.applyToken(.refreshToken(tokens.refreshToken)).result.resultCode == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test(arguments: StoreEngine.available)
    func theNewestRefreshTokenAloneWorks(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let first = try await scene.tokens(try await scene.signIn(), ["auth_base"])
            let second = try #require(try await scene.applyToken(.refreshToken(first.refreshToken)).tokens)
            #expect(second.customerID == first.customerID)
            #expect(try await scene.inquire(first.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.inquire(second.accessToken).result.resultCode == "SUCCESS")
            // Of twenty refreshes at once, one succeeds.
            let answers = try await withThrowingTaskGroup(of: ApplyTokenAnswer.self) { group in
                for _ in 0..<20 { group.addTask { try await scene.applyToken(.refreshToken(second.refreshToken)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let third = try #require(answers.compactMap(\.tokens).first)
            #expect(answers.compactMap(\.tokens).count == 1)
            #expect(try await scene.inquire(third.accessToken).result.resultCode == "SUCCESS")
            #expect(try await scene.applyToken(.refreshToken(first.refreshToken)).result.resultCode == "INVALID_REFRESH_TOKEN")
            scene.wallet.clock.advance(by: .seconds(60))
            #expect(try await scene.applyToken(.refreshToken(second.refreshToken)).result.resultCode == "INVALID_REFRESH_TOKEN")
            // A rotated one that comes late was stolen: what it had led to ends.
            #expect(try await scene.inquire(third.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
        }
    }

    @Test func tokensEndWithTheirTime() async throws {
        try await SuperAppScene.open { scene in
            let tokens = try await scene.tokens(try await scene.signIn(), ["auth_base"])
            scene.wallet.clock.advance(by: .seconds(86_400))
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            let fresh = try #require(try await scene.applyToken(.refreshToken(tokens.refreshToken)).tokens)
            scene.wallet.clock.advance(by: .seconds(30 * 86_400))
            #expect(try await scene.applyToken(.refreshToken(fresh.refreshToken)).result.resultCode == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test func tokensOfOthersAreRefused() async throws {
        try await SuperAppScene.open { scene in
            let tokens = try await scene.tokens(try await scene.signIn(), ["auth_base"])
            let other = try await scene.inquire(
                tokens.accessToken, app: SuperAppScene.otherApp, client: SuperAppScene.otherClient, key: scene.keys.other)
            #expect(other.result.resultCode == "INVALID_ACCESS_TOKEN" && other.userInfo.isEmpty)
            #expect(try await scene.inquire(tokens.accessToken, app: SuperAppScene.otherApp).result.resultCode == "INVALID_ACCESS_TOKEN")
            let refreshed = try await scene.applyToken(
                .refreshToken(tokens.refreshToken), app: SuperAppScene.otherApp, client: SuperAppScene.otherClient, key: scene.keys.other)
            #expect(refreshed.result.resultCode == "INVALID_REFRESH_TOKEN")
            #expect(try await scene.inquire(tokens.refreshToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "SUCCESS")
        }
    }

    @Test func aScopeThatThePlatformForbidsLaterTellsNothingMore() async throws {
        try await SuperAppScene.open { scene in
            let tokens = try await scene.tokens(try await scene.signIn(), ["auth_base", "USER_NAME"])
            #expect(try await scene.inquire(tokens.accessToken).userInfo[.userName] == "Mei Lin")
            try await scene.office.grant(.init(scopes: ["USER_NAME": .forbidden]), to: SuperAppScene.app, by: "ada", reason: "abuse")
            #expect(try await scene.inquire(tokens.accessToken).userInfo == [.userId: TestWallet.mei.number])
        }
    }

    @Test func aFrozenAccountGivesNothing() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let tokens = try await scene.tokens(session, ["auth_base"])
            let code = try await scene.code(session, ["auth_base"])
            try await scene.wallet.server.backOffice.setFrozen(true, account: TestWallet.mei.number, by: "ada", reason: "lost")
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.applyToken(.authorizationCode(code)).result.resultCode == "PROCESS_FAIL")
            #expect(try await scene.applyToken(.refreshToken(tokens.refreshToken)).result.resultCode == "PROCESS_FAIL")
        }
    }

    // MARK: Ends

    @Test(arguments: StoreEngine.available)
    func whatAUserTakesBackEndsCodesAndTokens(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let session = try await scene.signIn()
            let tokens = try await scene.tokens(session, ["USER_NAME"])
            let code = try await scene.code(session, ["USER_NAME"])
            let wish = RevokeRequest(appID: SuperAppScene.app, authClientID: SuperAppScene.client)
            #expect(try await scene.asUser(session, .post, RevokeRequest.path, wish.body).status == 200)
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.applyToken(.refreshToken(tokens.refreshToken)).result.resultCode == "INVALID_REFRESH_TOKEN")
            #expect(try await scene.applyToken(.authorizationCode(code)).result.resultCode == "INVALID_CODE")
            #expect(try await scene.applyAuthCode(session, ["USER_NAME"]).result == ApplyAuthCodeAnswer.pendingAgreement)
        }
    }

    @Test func aMerchantRevokesByATokenOfItsOwn() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let tokens = try await scene.tokens(session, ["USER_NAME"])
            let foreign = RevokeRequest(
                appID: SuperAppScene.otherApp, authClientID: SuperAppScene.otherClient, accessToken: tokens.accessToken)
            #expect(
                try await scene.call(RevokeRequest.path, foreign.body, from: SuperAppScene.otherClient, key: scene.keys.other).0.resultCode
                    == "INVALID_ACCESS_TOKEN")
            let wish = RevokeRequest(appID: SuperAppScene.app, authClientID: SuperAppScene.client, accessToken: tokens.accessToken)
            #expect(try await scene.call(RevokeRequest.path, wish.body).0.resultCode == "SUCCESS")
            #expect(try await scene.inquire(tokens.accessToken).result.resultCode == "INVALID_ACCESS_TOKEN")
            #expect(try await scene.applyAuthCode(session, ["USER_NAME"]).authCode == nil)
        }
    }

    /// Keys are stored as text; rows of before hold them as lists of numbers.
    @Test func keysReadBackFromRowsOfBothForms() throws {
        let key = CallKey(version: 2, subjectPublicKeyInfo: [1, 2, 255])
        let written = String(decoding: try JSONDocument.encode(key), as: UTF8.self)
        #expect(written.contains("AQL/"))
        #expect(try JSONDocument.decode(CallKey.self, Array(written.utf8)) == key)
        #expect(try JSONDocument.decode(CallKey.self, Array(#"{"version":2,"subjectPublicKeyInfo":[1,2,255]}"#.utf8)) == key)
    }

    // MARK: Contracts

    @Test func aContractIsSignedWithThePaymentPasswordOnce() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let request = PrepareRequest(contractDescription: "Up to ¥20 a month")
            #expect(try await scene.call(PrepareRequest.path, request.body).0.resultCode == "INVALID_AUTH_CLIENT")
            try await scene.office.grant(.init(scopes: ["AGREEMENT_PAY": .ask]), to: SuperAppScene.app, by: "ada", reason: "contract")
            // A page of scopes never gives it.
            #expect(try await scene.applyAuthCode(session, ["AGREEMENT_PAY"]).errorScopes["AGREEMENT_PAY"]?.contains("prepare") == true)
            let (result, answer) = try await scene.call(PrepareRequest.path, request.body)
            #expect(result.resultCode == "SUCCESS")
            let token = try #require(answer["authUrl"]?.string?.split(separator: "/").last)
            let path = "/v1/authorizations/contracts/\(token)"
            let shown = try JSONReader.readObject(try await scene.asUser(session, .get, path).body)
            #expect(shown["contractDesc"]?.string == "Up to ¥20 a month" && shown["merchantName"]?.string == "Tea house")
            func sign(_ password: String) async throws -> SuperAppScene.Raw {
                try await scene.asUser(
                    session, .post, "\(path)/signature",
                    JSONWriter.write(
                        .texts(["appId": SuperAppScene.app, "authClientId": SuperAppScene.client, "paymentPassword": password])))
            }
            #expect(String(decoding: try await sign("000000").body, as: UTF8.self).contains("ACCESS_DENIED"))
            let signed = try ApplyAuthCodeAnswer(JSONReader.readObject(try await sign(TestWallet.mei.paymentPassword).body))
            #expect(signed.successScopes == ["AGREEMENT_PAY"])
            #expect(try await sign(TestWallet.mei.paymentPassword).status == 404)
            #expect(try await scene.asUser(session, .get, path).status == 404)
            #expect(try await scene.applyToken(.authorizationCode(try #require(signed.authCode))).tokens != nil)
            #expect(try await scene.applyAuthCode(session, ["AGREEMENT_PAY"]).successScopes == ["AGREEMENT_PAY"])
        }
    }

    // MARK: The envelope

    @Test func onlyWhatItsSenderSignedIsRead() async throws {
        try await SuperAppScene.open { scene in
            let path = ApplyTokenRequest.Version.v2.path
            let body = ApplyTokenRequest(
                appID: SuperAppScene.app, authClientID: SuperAppScene.client, grant: .authorizationCode(Secret("c"))
            ).body
            func code(_ body: [UInt8], time: String? = nil) async throws -> String {
                try await scene.call(path, body, time: time).0.resultCode
            }
            #expect(try await code(body) == "INVALID_CODE")
            var flipped = body
            flipped[12] ^= 1
            #expect(try await scene.refusal(path, body, sent: flipped) == "INVALID_SIGNATURE")
            #expect(try await scene.refusal(path, body, sent: body + [0x20]) == "INVALID_SIGNATURE")
            #expect(try await scene.refusal(path, body, key: scene.keys.other) == "INVALID_SIGNATURE")
            #expect(try await scene.refusal(path, body, version: 2) == "INVALID_SIGNATURE")
            #expect(try await code(body, time: "2020-01-01T00:00:00Z") == "PARAM_ILLEGAL")
            #expect(try await code(body, time: "soon") == "PARAM_ILLEGAL")
            #expect(try await code(Array("{".utf8)) == "PARAM_ILLEGAL")
            // The signature of one path is none for another.
            let foreign = try await scene.send("\(path)?a=b", body, from: SuperAppScene.client)
            #expect(try OpenAPIResult(JSONReader.readObject(foreign.body)).resultCode == "PARAM_ILLEGAL")
        }
    }

    @Test func whoeverIsNotTheCallsPartyIsToldWhoIs() async throws {
        try await SuperAppScene.open { scene in
            let path = ApplyTokenRequest.Version.v2.path
            let body = ApplyTokenRequest(
                appID: SuperAppScene.app, authClientID: SuperAppScene.client, grant: .authorizationCode(Secret("c"))
            ).body
            // Nobody is told anything signed who is not registered, and an author is no client.
            let strangers = [
                "nobody": "Client-Id nobody is nobody whom this wallet knows: ",
                SuperAppScene.author: "Client-Id author-1 is an author of mini programs: ",
                SuperAppScene.app: "Client-Id 2026112200000001 is a mini program's own id: ", "": "Client-Id is missing: ",
                String(repeating: "9", count: 129): "Client-Id of 129 bytes is nobody whom this wallet knows: ",
            ]
            for (stranger, said) in strangers {
                let raw = try await scene.send(path, body, from: stranger)
                #expect(raw.headers[.callSignature] == nil)
                let result = try OpenAPIResult(JSONReader.readObject(raw.body))
                #expect(result.resultCode == "INVALID_AUTH_CLIENT" && result.resultMessage.hasPrefix(said), "\(result.resultMessage)")
                #expect(result.resultMessage.contains("the merchant's client signs here") && result.resultMessage.count <= 256)
            }
            // And the other way round: a merchant's client makes no mini programs.
            let client = try await scene.send("/mini-programs/v1/author/apps", body, from: SuperAppScene.client)
            let refused = try OpenAPIResult(JSONReader.readObject(client.body)).resultMessage
            #expect(refused.hasPrefix("Client-Id merchant-1 is a merchant's client: the author signs here"))
            // Client-Id is right, and the body names the program in the client's place.
            let own = ApplyTokenRequest(
                appID: SuperAppScene.app, authClientID: SuperAppScene.app, grant: .authorizationCode(Secret("c"))
            ).body
            let said = try await scene.call(path, own).0
            #expect(said.resultCode == "INVALID_AUTH_CLIENT")
            #expect(
                said.resultMessage
                    == "authClientId 2026112200000001 is a mini program's own id, and not the client that signs: Client-Id is merchant-1")
        }
    }

    @Test func keysRotateAndClientsClose() async throws {
        try await SuperAppScene.open { scene in
            let body = ApplyTokenRequest(
                appID: SuperAppScene.app, authClientID: SuperAppScene.client, grant: .authorizationCode(Secret("c"))
            ).body
            func code(_ version: Int, _ key: RSAPrivateKey) async throws -> String {
                try await scene.call(ApplyTokenRequest.Version.v2.path, body, key: key, version: version).0.resultCode
            }
            let old = CallKey(version: 1, subjectPublicKeyInfo: scene.keys.client.publicKey.subjectPublicKeyInfo)
            let new = CallKey(version: 2, subjectPublicKeyInfo: scene.keys.other.publicKey.subjectPublicKeyInfo)
            var client = OAuthClient(id: SuperAppScene.client, name: "Tea house", keys: [old, new], apps: [SuperAppScene.app])
            try await scene.office.register(client, by: "ada")
            #expect(try await code(1, scene.keys.client) == "INVALID_CODE")
            #expect(try await code(2, scene.keys.other) == "INVALID_CODE")
            let path = ApplyTokenRequest.Version.v2.path
            #expect(try await scene.refusal(path, body, key: scene.keys.client, version: 2) == "INVALID_SIGNATURE")
            client.keys = [new]
            try await scene.office.register(client, by: "ada")
            #expect(try await scene.refusal(path, body, key: scene.keys.client) == "INVALID_SIGNATURE")
            client.isOpen = false
            try await scene.office.register(client, by: "ada")
            #expect(try await code(2, scene.keys.other) == "INVALID_AUTH_CLIENT_STATUS")
            #expect(
                try await scene.applyAuthCode(try await scene.signIn(), ["auth_base"]).result.resultCode == "INVALID_AUTH_CLIENT_STATUS")
        }
    }

    @Test func callsAreCountedPerClient() async throws {
        try await SuperAppScene.open { side in
            side.callRate = RateLimit(perSecond: 1, burst: 3)
            side.userRate = RateLimit(perSecond: 1, burst: 2)
        } body: { scene in
            // Registration took one call of the author's; clients have counts of their own.
            let results = try await (0..<4).asyncMap { _ in
                try await scene.applyToken(.authorizationCode(Secret("c"))).result.resultCode
            }
            #expect(results == ["INVALID_CODE", "INVALID_CODE", "INVALID_CODE", "REQUEST_TRAFFIC_EXCEED_LIMIT"])
            let session = try await scene.signIn()
            let codes = try await (0..<3).asyncMap { _ in try await scene.applyAuthCode(session, ["auth_base"]).result.resultCode }
            #expect(codes == ["SUCCESS", "SUCCESS", "REQUEST_TRAFFIC_EXCEED_LIMIT"])
        }
    }

    // MARK: What is kept, and where

    @Test func secretsAreNowhereButInAnswers() async throws {
        try await SuperAppScene.open { scene in
            let session = try await scene.signIn()
            let code = try await scene.code(session, ["auth_base", "USER_NAME"])
            let tokens = try #require(try await scene.applyToken(.authorizationCode(code)).tokens)
            _ = try await scene.inquire(tokens.accessToken)
            _ = try await scene.applyToken(.refreshToken(tokens.refreshToken))
            let seen = scene.wallet.recorder.entries.map { "\($0)" }.joined(separator: "\n") + scene.wallet.recorder.log
            let rows = try await scene.wallet.store.database.read { tx in
                try ["wallet_oauth_codes", "wallet_oauth_tokens", "wallet_agreements"].flatMap { try tx.query("SELECT * FROM \($0)") }
            }
            let kept = rows.flatMap(\.values).map { value -> String in
                if case .blob(let bytes) = value { String(decoding: bytes, as: UTF8.self) + Hexadecimal.encode(bytes) } else { "\(value)" }
            }.joined(separator: "\n")
            for secret in [session, code.reveal(), tokens.accessToken.reveal(), tokens.refreshToken.reveal()] {
                #expect(!seen.contains(secret) && !kept.contains(secret))
            }
            // One story from the code to what the tokens opened.
            let titles = ["applyAuthCode", "applyToken", "inquiryUserInfo"]
            let entries = scene.wallet.recorder.entries.filter { titles.contains($0.title) && !$0.correlation.isEmpty }
            #expect(Set(entries.map(\.title)) == Set(titles))
            var reached = Set(entries.first?.correlation.map { "\($0.key)=\($0.value)" } ?? [])
            for entry in entries {
                let names = Set(entry.correlation.map { "\($0.key)=\($0.value)" })
                if !names.isDisjoint(with: reached) { reached.formUnion(names) }
            }
            #expect(entries.allSatisfy { entry in entry.correlation.contains { reached.contains("\($0.key)=\($0.value)") } })
        }
    }

    /// Commits whose answers are lost run again, and find what they did.
    @Test(arguments: StoreEngine.available)
    func lostCommitsGiveTheSameTokens(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine, faults: .init(serializationFailures: 200, lostReplies: 400)) { scene in
            let session = try await scene.signIn()
            for _ in 0..<5 {
                let tokens = try await scene.tokens(session, ["auth_base", "USER_NAME"])
                let fresh = try #require(try await scene.applyToken(.refreshToken(tokens.refreshToken)).tokens)
                #expect(try await scene.inquire(fresh.accessToken).userInfo[.userName] == "Mei Lin")
            }
            let stored = try await scene.wallet.store.database.read { try $0.query("SELECT COUNT(*) FROM wallet_oauth_tokens") }
            #expect(try stored.first?.integer(0) == 5)
        }
    }

    @Test func aPhoneOnThisServerAsksWithoutHTTP() async throws {
        try await SuperAppScene.open { scene in
            let calls = try #require(scene.wallet.server.superAppCalls)
            let wish = ApplyAuthCodeRequest(appID: SuperAppScene.app, authClientID: SuperAppScene.client, scopes: ["USER_NAME"])
            #expect(try await calls.applyAuthCode(wish, user: TestWallet.mei.number).pendingScopes == ["USER_NAME"])
            _ = try await calls.agree(
                to: ["USER_NAME"], appID: SuperAppScene.app, authClientID: SuperAppScene.client, user: TestWallet.mei.number)
            #expect(try await calls.agreedScopes(appID: SuperAppScene.app, user: TestWallet.mei.number) == ["USER_NAME"])
            #expect(try await calls.applyAuthCode(wish, user: TestWallet.mei.number).authCode != nil)
            try await calls.withdraw(appID: SuperAppScene.app, user: TestWallet.mei.number)
            #expect(try await calls.agreedScopes(appID: SuperAppScene.app, user: TestWallet.mei.number).isEmpty)
            await #expect(throws: WalletError.self) { try await calls.applyAuthCode(wish, user: "2088000000009999") }
        }
    }

    @Test func unsafeConfigurationsAreRefused() throws {
        let keys = try SuperAppScene.keys.get()
        func side(_ change: (inout WalletConfiguration.SuperApp) -> Void) -> WalletConfiguration.SuperApp {
            var side = WalletConfiguration.SuperApp(
                origin: "https://wallet.example", name: "W", scheme: "w", codeHost: "w.example", key: keys.server,
                packageKey: keys.platform, packageKeyID: "p", packageAlgorithm: .ecdsaSHA256)
            change(&side)
            return side
        }
        try side { _ in }.validate(.production)
        let wrong: [(inout WalletConfiguration.SuperApp) -> Void] = [
            { $0.key = keys.platform }, { $0.packageAlgorithm = .rsaPKCS1SHA256 }, { $0.lifetimes.authCode = 601 },
            { $0.lifetimes.refreshToken = 1 }, { $0.origin = "http://wallet.example" }, { $0.onboardingKey = Secret("x") },
            { $0.clientsClock = HandClock() },
        ]
        for change in wrong { #expect(throws: WalletError.self) { try side(change).validate(.production) } }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
