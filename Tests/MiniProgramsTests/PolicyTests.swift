import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms
import MiniProgramsDiagnosis
import Testing

@Suite struct ScopePolicyTests {
    private let policy = ScopePolicy(
        rules: ScopePolicy.standard.rules,
        exceptions: ["bank": ["AGREEMENT_PAY": .ask, "USER_NAME": .silent], "closed": ["auth_base": .forbidden]])

    @Test func everyScopeIsSorted() {
        let scopes: Set<String> = ["auth_base", "USER_NAME", "AGREEMENT_PAY", "MOON"]
        let plain = policy.standing(of: scopes, appID: "shop")
        #expect(plain.silent == ["auth_base"] && plain.ask == ["USER_NAME"] && Set(plain.refused.keys) == ["AGREEMENT_PAY", "MOON"])
        let bank = policy.standing(of: scopes, appID: "bank")
        #expect(bank.silent == ["auth_base", "USER_NAME"] && bank.ask == ["AGREEMENT_PAY"] && Set(bank.refused.keys) == ["MOON"])
    }

    @Test func agreementMakesSilentAndNeverLiftsAPolicy() {
        #expect(policy.standing(of: ["USER_NAME"], appID: "shop", agreed: ["USER_NAME"]).silent == ["USER_NAME"])
        #expect(policy.standing(of: ["AGREEMENT_PAY"], appID: "shop", agreed: ["AGREEMENT_PAY"]).silent.isEmpty)
        #expect(policy.standing(of: ["auth_base"], appID: "closed", agreed: ["auth_base"]).refused.count == 1)
    }

    @Test func codeIsExchangedOnceInTimeByItsClient() {
        let code = CodeExchange.IssuedCode(appID: "a", authClientID: "c", issuedAt: 1_000)
        func refusal(_ code: CodeExchange.IssuedCode?, client: String = "c", app: String? = "a", now: Int64 = 1_001) -> String? {
            CodeExchange.refusal(of: code, clientID: client, appID: app, now: now)?.resultCode
        }
        #expect(refusal(code) == nil && refusal(code, app: nil) == nil && refusal(code, now: 1_299) == nil)
        #expect(refusal(code, now: 1_300) == "EXPIRED_CODE" && refusal(code, now: 999) == "EXPIRED_CODE")
        var used = code
        used.isUsed = true
        #expect(refusal(used) == "USED_CODE")
        #expect(refusal(nil) == "INVALID_CODE" && refusal(used, client: "d") == "INVALID_CODE" && refusal(code, app: "b") == "INVALID_CODE")
    }
}

@Suite struct PlatformMessageTests {
    private func object(_ bytes: [UInt8]) throws -> JSONObject { try JSONReader.readObject(bytes) }

    @Test func authCodeMessagesRoundTrip() throws {
        let request = ApplyAuthCodeRequest(appID: "a", authClientID: "c", scopes: ["auth_base", "USER_NAME"], referenceAgreementID: "g")
        #expect(try ApplyAuthCodeRequest(object(request.body)) == request)
        let answer = ApplyAuthCodeAnswer(
            result: .success, authCode: Secret("x"), successScopes: ["auth_base"], errorScopes: ["MOON": "not known"])
        let read = try ApplyAuthCodeAnswer(object(answer.body))
        #expect(read.authCode?.reveal() == "x" && read.errorScopes == ["MOON": "not known"] && read.successScopes == ["auth_base"])
        let pending = try ApplyAuthCodeAnswer(
            object(ApplyAuthCodeAnswer(result: ApplyAuthCodeAnswer.pendingAgreement, pendingScopes: ["USER_NAME"]).body))
        #expect(pending.authCode == nil && pending.pendingScopes == ["USER_NAME"])
        #expect(throws: MiniProgramError(code: .missingField, reason: "")) {
            try ApplyAuthCodeAnswer(object(ApplyAuthCodeAnswer(result: .success).body))
        }
        let revoke = try RevokeRequest(object(RevokeRequest(appID: "a", authClientID: "c", accessToken: Secret("t")).body))
        #expect(revoke.accessToken?.reveal() == "t" && !"\(revoke)".contains("\"t\""))
    }

    @Test(arguments: [#"{"scopes":[]}"#, #"{"scopes":["a b"]}"#, #"{"scopes":[1]}"#, #"{"scopes":"auth_base"}"#])
    func scopesThatAreNoneAreRefused(json: String) throws {
        var parties = try object(Array(json.utf8))
        parties["appId"] = "a"
        parties["authClientId"] = "c"
        #expect(throws: MiniProgramError(code: .malformedField, reason: "")) { try ApplyAuthCodeRequest(parties) }
    }

    private let metadata = MiniProgramMetadata(
        appID: "a", name: "Tea", authClientID: "c", workspace: .connect, version: .init(1, 0, 0, stamp: 20_261_122), features: ["auth"],
        serverDomains: ["api.test"], scenes: ["SCAN"],
        package: .init(url: "https://p.test/a.zip", sha256: String(repeating: "ab", count: 32), size: 7))

    @Test func metadataRoundTrips() throws {
        #expect(try MiniProgramMetadata(object(metadata.body)) == metadata)
        let page = MiniProgramMetadata(appID: "a", name: "Tea", version: .init(1, 0, 0), webPage: "https://h5.test/")
        #expect(try MiniProgramMetadata(object(page.body)) == page)
    }

    @Test func brokenMetadataIsRefused() throws {
        func code(_ change: (inout JSONObject) -> Void) throws -> MiniProgramError.Code? {
            var changed = try object(metadata.body)
            change(&changed)
            do {
                _ = try MiniProgramMetadata(changed)
                return nil
            } catch { return error.code }
        }
        #expect(try code { _ in } == nil)
        #expect(try code { $0["appId"] = "a/b" } == .malformedField && code { $0["workspace"] = "x" } == .malformedField)
        #expect(try code { $0["releaseVersion"] = "1" } == .malformedVersion && code { $0["name"] = nil } == .missingField)
        #expect(try code { $0["webPage"] = "https://h5.test/" } == .missingField && code { $0["package"] = nil } == .missingField)
        #expect(try code { $0["features"] = [1] } == .malformedField && code { $0["serverDomains"] = "x" } == .malformedField)
        #expect(try code { $0["package"] = .object([.init("url", "u"), .init("sha256", "00"), .init("size", 1)]) } == .malformedField)
        #expect(
            try code {
                $0["package"] = .object([.init("url", "u"), .init("sha256", .string(String(repeating: "0", count: 64))), .init("size", 0)])
            } == .malformedField)
    }
}

/// Strangers' bytes: nothing ends the process, and what is read can be written and read again.
@Suite struct MutationTests {
    @Test func mutatedInputsAreReadOrRefused() throws {
        var random = Seeded(state: 20_261_122)
        let texts = [
            "wallet://mp/2026/pages/a?pq=x%3D1&query=y%3D2&env=trial&v=1.0.0&sig=t",
            "alipays://platformapi/startapp?appId=1&page=p%2Fa%3Fx%3D1",
            "algorithm=RSA256, keyVersion=1, signature=AAAA", "https://promo.example/p/d2FsbGV0Oi8vbXAvYQ.00000000", "1.0.1.20261122",
            #"{"appId":"a","authClientId":"c","grantType":"AUTHORIZATION_CODE","authCode":"x","scopes":["a"],"extendInfo":"{}","accessToken":"t"}"#,
            #"{"pages":["a","b"],"tabBar":{"items":[{"pagePath":"a"}]},"subPackages":[{"root":"s","pages":["x"]}],"window":{"pullRefresh":"YES"}}"#,
            #"{"entries":[{"kind":"call","name":"tradePay","arguments":{}},{"kind":"answer","name":"scan","ok":true,"result":{"barCode":"1"}}]}"#,
        ].map { Array($0.utf8) }
        for _ in 0..<6_000 {
            var bytes = texts[Int(random.next() % UInt64(texts.count))]
            for _ in 0...(random.next() % 4) where !bytes.isEmpty {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(index + 5, bytes.count)], at: index)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let link = try? MiniProgramLink(text, schemes: ["wallet"]) {
                #expect(try MiniProgramLink(link.text(scheme: "wallet"), schemes: ["wallet"]) == link, "\(text)")
            }
            if let link = try? MiniProgramLink(alipay: text) { #expect(try MiniProgramLink(alipay: link.alipayText) == link, "\(text)") }
            _ = try? MiniProgramLink(ariver: text)
            if let signature = try? OpenAPISignature(header: text) { #expect(try OpenAPISignature(header: "\(signature)") == signature) }
            if let version = MiniProgramVersion(text: text) { #expect(version.description == text) }
            _ = PromotionCode(host: "promo.example").decodeURLContent(text)
            _ = JSAPICatalogue.standard.canIUse(text)
            _ = MiniProgramDiagnostician().examine([Artifact(name: "x", bytes: bytes), Artifact(name: "app.json", bytes: bytes)])
            _ = try? PackageManifest(bytes)
            _ = try? PackageSignature(bytes)
            guard let object = try? JSONReader.readObject(bytes) else { continue }
            _ = try? ApplyTokenRequest(object, version: .v2)
            _ = try? ApplyAuthCodeRequest(object)
            _ = try? InquiryUserInfoRequest(object)
            _ = try? PrepareRequest(object)
            _ = try? JSAPICatalogue.standard.read("tradePay", .object(object), from: .script, features: ["payment"])
        }
    }
}
