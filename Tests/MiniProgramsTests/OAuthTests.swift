import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms
import PaymentCrypto
import Testing

@Suite struct OpenAPISignatureTests {
    private let body = Array(#"{"a":1}"#.utf8)

    private func signed(_ body: [UInt8], path: String = "/v2/authorizations/applyToken", version: Int = 1) throws
        -> UnverifiedOpenAPIMessage
    {
        let key = try TestKeys.rsa.get()
        let time = "2026-11-22T12:00:00+08:00"
        let signature = try OpenAPISignature(path: path, clientID: "CLIENT_1", time: time, body: body, by: key, keyVersion: version)
        return UnverifiedOpenAPIMessage(
            path: path, clientID: "CLIENT_1", time: time, body: body, signature: try OpenAPISignature(header: "\(signature)"))
    }

    @Test func textIsTheDocumentedOne() {
        let text = OpenAPISignature.signedBytes(path: "/p", clientID: "C", time: "T", body: Array("{}".utf8))
        #expect(String(decoding: text, as: UTF8.self) == "POST /p\nC.T.{}")
    }

    @Test func signedMessageIsVerifiedAndEveryPartCounts() throws {
        let keys = [1: try TestKeys.rsa.get().publicKey]
        #expect(try signed(body).verified(by: keys).object["a"]?.integer == 1)
        for change: (inout UnverifiedOpenAPIMessage) -> Void in [
            { $0.body.append(0x20) }, { $0.path = "/v1/authorizations/applyToken" }, { $0.clientID = "CLIENT_2" },
            { $0.time = "2026-11-22T12:00:01+08:00" },
            { $0.signature.bytes[5] ^= 1 },
        ] {
            var message = try signed(body)
            change(&message)
            #expect(throws: MiniProgramError(code: .signatureMismatch, reason: "")) { try message.verified(by: keys) }
        }
        #expect(throws: MiniProgramError(code: .untrustedKey, reason: "")) { try signed(body, version: 2).verified(by: keys) }
        #expect(throws: MiniProgramError(code: .malformedJSON, reason: "")) { try signed([0x7b]).verified(by: keys) }
    }

    @Test func headerIsReadInEveryForm() throws {
        let bytes: [UInt8] = [0xfb, 0xff, 0xfe, 0x01]
        for header in [
            "algorithm=RSA256, keyVersion=2, signature=+//+AQ==", "algorithm=RSA256,keyVersion=2,signature=%2B%2F%2F%2BAQ%3D%3D",
            "algorithm=RSA256,keyVersion=2,signature=-__-AQ",
        ] {
            let signature = try OpenAPISignature(header: header)
            #expect(signature.bytes == bytes && signature.keyVersion == 2)
        }
        #expect(try OpenAPISignature(header: "algorithm=RSA256,signature=AQ==").keyVersion == 1)
    }

    @Test(arguments: [
        "", "signature=AQ==", "algorithm=RSA1,signature=AQ==", "algorithm=RSA256", "algorithm=RSA256,signature=",
        "algorithm=RSA256,signature=?",
        "algorithm=RSA256,keyVersion=x,signature=AQ==", "algorithm=RSA256,algorithm=RSA256,signature=AQ==", "algorithm=RSA256,signature=%2",
    ])
    func malformedHeaderIsRefused(header: String) {
        #expect(throws: MiniProgramError(code: .malformedSignature, reason: "")) { try OpenAPISignature(header: header) }
    }

    @Test func ellipticKeyCannotSign() throws {
        let key = try TestKeys.p256(1)
        #expect(throws: MiniProgramError(code: .unusableKey, reason: "")) {
            try OpenAPISignature(path: "/p", clientID: "c", time: "t", body: [], by: key)
        }
    }
}

@Suite struct OAuthMessageTests {
    private func object(_ json: String) throws -> JSONObject { try JSONReader.readObject(Array(json.utf8)) }

    private func code(_ json: String, _ version: ApplyTokenRequest.Version, severalWallets: Bool = false) -> MiniProgramError.Code? {
        do {
            _ = try ApplyTokenRequest(object(json), version: version, severalWallets: severalWallets)
            return nil
        } catch { return (error as? MiniProgramError)?.code }
    }

    @Test func bothVersionsRoundTrip() throws {
        let second = ApplyTokenRequest(
            appID: "app", authClientID: "client", grant: .authorizationCode(Secret("code")), customerBelongsTo: "GCASH")
        let text = String(decoding: second.body, as: UTF8.self)
        #expect(
            text
                == #"{"appId":"app","authClientId":"client","grantType":"AUTHORIZATION_CODE","authCode":"code","customerBelongsTo":"GCASH"}"#
        )
        let read = try ApplyTokenRequest(object(text), version: .v2, severalWallets: true)
        #expect(read.appID == "app" && read.authClientID == "client" && read.grant.type == "AUTHORIZATION_CODE")
        let first = ApplyTokenRequest(version: .v1, referenceClientID: "app", grant: .refreshToken(Secret("token")))
        #expect(
            String(decoding: first.body, as: UTF8.self)
                == #"{"referenceClientId":"app","grantType":"REFRESH_TOKEN","refreshToken":"token"}"#)
        #expect(try ApplyTokenRequest(object(String(decoding: first.body, as: UTF8.self)), version: .v1).referenceClientID == "app")
        #expect(ApplyTokenRequest.Version(path: "/v2/authorizations/applyToken") == .v2 && ApplyTokenRequest.Version(path: "/v3/x") == nil)
        #expect(!"\(second)".contains("code\"") && !"\(first)".contains("token\""))
    }

    @Test(arguments: [
        (#"{"grantType":"AUTHORIZATION_CODE"}"#, MiniProgramError.Code.missingField),
        (#"{"grantType":"REFRESH_TOKEN","authCode":"x"}"#, .missingField),
        (#"{"grantType":"PASSWORD"}"#, .malformedField), (#"{"grantType":"AUTHORIZATION_CODE","authCode":7}"#, .malformedField),
        ("{}", .missingField),
    ])
    func brokenRequestIsRefused(json: String, expected: MiniProgramError.Code) { #expect(code(json, .v1) == expected) }

    @Test func secondVersionNeedsItsParties() {
        #expect(code(#"{"grantType":"AUTHORIZATION_CODE","authCode":"x"}"#, .v2) == .missingField)
        #expect(code(#"{"appId":"a","authClientId":"c","grantType":"AUTHORIZATION_CODE","authCode":"x"}"#, .v2) == nil)
        #expect(
            code(#"{"appId":"a","authClientId":"c","grantType":"AUTHORIZATION_CODE","authCode":"x"}"#, .v2, severalWallets: true)
                == .missingField)
        let long = String(repeating: "x", count: 129)
        #expect(code(#"{"grantType":"AUTHORIZATION_CODE","authCode":"\#(long)"}"#, .v1) == .malformedField)
    }

    @Test func answersRoundTrip() throws {
        let tokens = ApplyTokenAnswer.Tokens(
            accessToken: Secret("at"), accessTokenExpiryTime: "t1", refreshToken: Secret("rt"), refreshTokenExpiryTime: "t2",
            customerID: "u1")
        let answer = try ApplyTokenAnswer(object(String(decoding: ApplyTokenAnswer(result: .success, tokens: tokens).body, as: UTF8.self)))
        #expect(answer.tokens?.customerID == "u1" && answer.tokens?.accessToken.reveal() == "at" && answer.result == .success)
        let refused = try ApplyTokenAnswer(object(String(decoding: ApplyTokenAnswer(result: .usedCode).body, as: UTF8.self)))
        #expect(refused.tokens == nil && refused.result.resultStatus == .failure)
        #expect(throws: MiniProgramError(code: .missingField, reason: "")) {
            try ApplyTokenAnswer(object(#"{"result":{"resultCode":"SUCCESS","resultStatus":"S"}}"#))
        }
    }

    @Test func statusThatNobodyDocumentedIsUnknown() throws {
        #expect(try OpenAPIResult(object(#"{"result":{"resultCode":"X","resultStatus":"Z"}}"#)).resultStatus == .unknown)
        #expect(OpenAPIResult.unknownException.resultStatus == .unknown && OpenAPIResult.trafficExceedsLimit.resultStatus == .unknown)
        #expect(Set(OpenAPIResult.all.map(\.resultCode)).count == OpenAPIResult.all.count)
        #expect(OpenAPIResult.refusing(MiniProgramError(code: .signatureMismatch, reason: "r")).resultCode == "INVALID_SIGNATURE")
        #expect(
            OpenAPIResult.refusing(MiniProgramError(code: .missingField, reason: "appId is missing")).resultMessage == "appId is missing")
    }

    @Test func userInfoFollowsTheScopes() throws {
        let info: [UserInfoMember: String] = [
            .userId: "u", .nickName: "Ada", .avatar: "https://a", .birthDate: "1815-12-10", .loginId: "ada@x",
        ]
        #expect(Set(UserInfoMember.filtered(info, by: ["auth_base"]).keys) == [.userId])
        #expect(Set(UserInfoMember.filtered(info, by: ["auth_user"]).keys) == [.userId, .nickName, .avatar])
        #expect(Set(UserInfoMember.filtered(info, by: ["USER_BIRTHDAY"]).keys) == [.birthDate])
        #expect(UserInfoMember.filtered(info, by: ["AGREEMENT_PAY"]).isEmpty)
        let text = String(decoding: InquiryUserInfoAnswer(result: .success, userInfo: [.userId: "u"]).body, as: UTF8.self)
        #expect(text.hasSuffix(#""userInfo":{"userId":"u"}}"#))
        #expect(try InquiryUserInfoAnswer(object(text)).userInfo == [.userId: "u"])
        #expect(
            !String(decoding: InquiryUserInfoAnswer(result: .accessDenied, userInfo: [.userId: "u"]).body, as: UTF8.self).contains(
                "userInfo"))
    }

    @Test func inquiryIsReadInBothForms() throws {
        let json = #"{"accessToken":"at"}"#
        #expect(try InquiryUserInfoRequest(object(json), path: InquiryUserInfoRequest.olderPath).accessToken.reveal() == "at")
        #expect(throws: MiniProgramError(code: .missingField, reason: "")) { try InquiryUserInfoRequest(object(json)) }
        let request = InquiryUserInfoRequest(appID: "a", authClientID: "c", accessToken: Secret("at"))
        #expect(try InquiryUserInfoRequest(object(String(decoding: request.body, as: UTF8.self))).authClientID == "c")
    }

    @Test func prepareTakesOnlyTheContract() throws {
        let body = String(decoding: PrepareRequest(contractDescription: "5 a week").body, as: UTF8.self)
        #expect(body == #"{"scopes":"AGREEMENT_PAY","extendInfo":"{\"contractDesc\":\"5 a week\"}"}"#)
        #expect(try PrepareRequest(object(body)).contractDescription == "5 a week")
        for bad in [
            #"{"scopes":"USER_NAME","extendInfo":"{}"}"#, #"{"scopes":"AGREEMENT_PAY","extendInfo":"{}"}"#,
            #"{"scopes":["AGREEMENT_PAY"],"extendInfo":"x"}"#,
        ] {
            #expect(throws: MiniProgramError(code: .malformedField, reason: "")) { try PrepareRequest(object(bad)) }
        }
        #expect(
            String(decoding: PrepareRequest.answer(.success, authURL: "https://a/b"), as: UTF8.self).hasSuffix(#""authUrl":"https://a/b"}"#)
        )
    }
}

@Suite struct TradePayTests {
    private func order(_ json: String) throws -> TradePayOrder { try TradePayOrder(try JSONReader.readObject(Array(json.utf8))) }

    @Test func oneFormIsTaken() throws {
        #expect(try order(#"{"tradeNO":"2026"}"#) == .tradeNumber("2026"))
        #expect(try order(#"{"orderStr":"a=1","tradeNO":""}"#) == .orderString("a=1"))
        #expect(try order(#"{"paymentUrl":"https://a"}"#) == .paymentURL("https://a"))
    }

    @Test(arguments: [
        ("{}", "needs one of"), (#"{"tradeNo":"1"}"#, "write tradeNO"), (#"{"tradeNO":"1","orderStr":"2"}"#, "tradeNO with orderStr"),
    ])
    func faultOfTheCallNamesItself(json: String, text: String) {
        do {
            _ = try order(json)
            Issue.record("taken")
        } catch {
            #expect((error as? JSAPIFailure)?.error == 2 && (error as? JSAPIFailure)?.errorMessage.contains(text) == true)
        }
    }

    @Test func unknownStaysUnknown() {
        #expect(TradePayResultCode(reading: "9001") == .unknown && TradePayResultCode(reading: "") == .unknown)
        #expect(TradePayResultCode.allCases.filter { !$0.isSettled } == [.processing, .networkError, .unknown])
        #expect(TradePayResultCode.unknown.object["memo"]?.string == "not final: ask the server")
        #expect(TradePayResultCode.paid.object["resultCode"]?.string == "9000" && TradePayResultCode.paid.object["memo"] == nil)
    }
}
